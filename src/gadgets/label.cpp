#include "gadgets/label.h"

#include "gadgets/bits.h"
#include "gadgets/multipack.h"
#include "gadgets/sha256.h"

namespace cuzk::gadgets {

template <class Builder>
typename Builder::Number create_label(Builder& builder, const typename Builder::Bits& replica_id, u32 layer,
                                      const typename Builder::Bits& node,
                                      const std::vector<typename Builder::Bits>& parents) {
  typename Builder::Bits message = replica_id;
  append_constant_reversed(message, layer, 32);
  append(message, reversed(node));
  while (message.size() < 512) append_constant(message, 0, 32);
  for (std::size_t i = 0; i < kLabelParents; ++i) append(message, parents[i % parents.size()]);
  return pack_bits(builder, reverse_bit_numbering(sha256(builder, message)));
}

template Signal create_label(Compiler&, const std::vector<Signal>&, u32, const std::vector<Signal>&,
                             const std::vector<std::vector<Signal>>&);
template Fr create_label(WitnessBuilder&, const BitString&, u32, const BitString&, const std::vector<BitString>&);

}  // namespace cuzk::gadgets

/// The label of a node in a layer of the stacked graph, from its parents' labels.
#pragma once

#include "gadgets/boolean.h"

namespace cuzk::gadgets {

/// Labels that a node's label is made of; a layer's parents are repeated until there are so many.
inline constexpr std::size_t kLabelParents = 37;

/// SHA-256 of replica id, layer, node and 37 parents (parents[i % parents.size()]), without its two top bits, as a new
/// variable. replica_id and parents: 256 bits each in SHA-256's order. node: 64 bits, least significant first. The
/// layer is a constant, from 1.
template <class Builder>
typename Builder::Number create_label(Builder& builder, const typename Builder::Bits& replica_id, u32 layer,
                                      const typename Builder::Bits& node,
                                      const std::vector<typename Builder::Bits>& parents);

extern template Signal create_label(Compiler&, const std::vector<Signal>&, u32, const std::vector<Signal>&,
                                    const std::vector<std::vector<Signal>>&);
extern template Fr create_label(WitnessBuilder&, const BitString&, u32, const BitString&,
                                const std::vector<BitString>&);

}  // namespace cuzk::gadgets

#include "gadgets/multipack.h"

namespace cuzk::gadgets {

namespace {

/// inputs: the bits, then what they are worth together.
struct PackInto {
  static std::string key() { return "pack into"; }
  static std::vector<Signal> record(Recorder& recorder, std::span<const Signal> in) {
    recorder.enforce(packed(in.first(in.size() - 1)), r1cs::kOne, in.back());
    return {};
  }
};

struct Pack {
  static std::string key() { return "pack"; }
  static std::vector<Signal> record(Recorder& recorder, std::span<const Signal> bits) {
    return {multiply(recorder, packed(bits), r1cs::kOne)};
  }
};

}  // namespace

void pack_into_inputs(Compiler& builder, std::span<const Signal> bits) {
  for (std::size_t first = 0; first < bits.size(); first += kPackedBits) {
    const auto piece = bits.subspan(first, std::min(kPackedBits, bits.size() - first));
    std::vector<Signal> inputs(piece.begin(), piece.end());
    inputs.push_back(builder.alloc_input());
    builder.place(PackInto(), inputs);
  }
}

void pack_into_inputs(WitnessBuilder& builder, const BitString& bits) {
  for (std::size_t first = 0; first < bits.size(); first += kPackedBits)
    builder.alloc_input(packed(bits, first, std::min(kPackedBits, bits.size() - first)));
}

Signal pack_bits(Compiler& builder, std::span<const Signal> bits) {
  return builder.place(Pack(), bits.first(std::min(kPackedBits, bits.size())))[0];
}

Fr pack_bits(WitnessBuilder& builder, const BitString& bits) {
  return builder.alloc_number(packed(bits, 0, std::min(kPackedBits, bits.size())));
}

}  // namespace cuzk::gadgets

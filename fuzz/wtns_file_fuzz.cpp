/// Any bytes as a .wtns file; then as the witness of a circuit with as many public wires as the last byte says.
#include "fuzzing.h"
#include "r1cs/circom/wtns_file.h"

extern "C" int LLVMFuzzerTestOneInput(const cuzk::u8* data, std::size_t size) {
  using namespace cuzk;
  fuzz::expect_value_or_invalid_input([&] {
    const auto wires = r1cs::read_wires(std::span(data, size), "w.wtns");
    fuzz::expect(wires.size() * Fr::kBytes < size);
    const u32 publics = data[size - 1];
    const auto witness = r1cs::witness_of_wires(wires, publics);
    fuzz::expect(witness.inputs().size() + witness.aux_count() == wires.size());
    for (u32 i = 0; i < witness.aux_count(); ++i) fuzz::expect(witness.aux(i) == wires[publics + 1 + i]);
  });
  return 0;
}

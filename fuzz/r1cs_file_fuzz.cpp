/// Any bytes as a .r1cs file; then a walk through the circuit that it makes.
#include "fuzzing.h"
#include "r1cs/circom/r1cs_file.h"

extern "C" int LLVMFuzzerTestOneInput(const cuzk::u8* data, std::size_t size) {
  using namespace cuzk;
  fuzz::expect_value_or_invalid_input([&] {
    const auto [numbers, circuit] = r1cs::compile_r1cs({data, size}, "c.r1cs");
    fuzz::expect(circuit.inputs() + u64{circuit.aux()} == numbers.wires);
    fuzz::expect(circuit.gadget_constraints() >= numbers.constraints);
    u64 walked = 0;
    circuit.for_each_constraint([&](const r1cs::Constraint&) { ++walked; });
    fuzz::expect(walked == circuit.constraints());
  });
  return 0;
}

#include "cuda/evaluation.h"

#include "base/error.h"
#include "cuda/evaluation_dispatch.h"

namespace cuzk::cuda {
namespace {

void check_room(const Queue& queue, const CircuitTables& circuit) {
  const std::size_t needed = evaluation_shared_memory(circuit.most_locals), room = queue.device.shared_memory_per_block;
  if (needed > room)
    throw Error(Code::resource_exhausted,
                fmt::format("a template of {} variables needs {} bytes of a block's memory, there are {}",
                            circuit.most_locals, needed, room));
}

/// Zeros behind the constraints; the appended ones of side a are the inputs.
DeviceBuffer<Fr> side_values(const Queue& queue, const DeviceCircuit& circuit, const DeviceWitness& witness,
                             Side side) {
  const std::size_t size = std::size_t{1} << circuit.log2_domain(), appended = circuit.gadget_constraints();
  DeviceBuffer<Fr> values(queue.memory, size);
  fill_bytes(std::as_writable_bytes(values.span().subspan(appended)), 0, queue.stream);
  if (side == Side::a) copy(values.span().subspan(appended, witness.inputs().size()), witness.inputs(), queue.stream);
  return values;
}

}  // namespace

DeviceEvaluations evaluate(const Queue& queue, const DeviceCircuit& circuit, const DeviceWitness& witness) {
  check_room(queue, circuit.tables());
  const auto values_of = [&](Side side) { return side_values(queue, circuit, witness, side); };
  DeviceEvaluations values{values_of(Side::a), values_of(Side::b), values_of(Side::c)};
  evaluate_instances(queue, circuit.tables(), witness.view(), {values.a.data(), values.b.data(), values.c.data()});
  return values;
}

DeviceBuffer<Fr> evaluate(const Queue& queue, const DeviceCircuit& circuit, const DeviceWitness& witness, Side side) {
  check_room(queue, circuit.tables());
  DeviceBuffer<Fr> values = side_values(queue, circuit, witness, side);
  const auto only = [&](Side which) { return which == side ? values.data() : nullptr; };
  evaluate_instances(queue, circuit.tables(), witness.view(), {only(Side::a), only(Side::b), only(Side::c)});
  return values;
}

}  // namespace cuzk::cuda

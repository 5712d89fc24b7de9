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

}  // namespace

DeviceEvaluations evaluate(const Queue& queue, const DeviceCircuit& circuit, const DeviceWitness& witness) {
  check_room(queue, circuit.tables());
  const std::size_t size = std::size_t{1} << circuit.log2_domain(), appended = circuit.gadget_constraints();
  DeviceEvaluations values{DeviceBuffer<Fr>(queue.memory, size), DeviceBuffer<Fr>(queue.memory, size),
                           DeviceBuffer<Fr>(queue.memory, size)};
  for (DeviceBuffer<Fr>* const side : {&values.a, &values.b, &values.c})
    fill_bytes(std::as_writable_bytes(side->span().subspan(appended)), 0, queue.stream);
  copy(values.a.span().subspan(appended, witness.inputs().size()), witness.inputs(), queue.stream);
  evaluate_instances(queue, circuit.tables(), witness.view(), values.a.data(), values.b.data(), values.c.data());
  return values;
}

}  // namespace cuzk::cuda

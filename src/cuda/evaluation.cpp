#include "cuda/evaluation.h"

#include "cuda/error.h"

namespace cuzk::cuda {

EvaluationUpload::~EvaluationUpload() {
  // A copy that an exception left under way must not read memory that is gone.
  check_or_log(cudaStreamSynchronize(queue_.stream.handle()), "cudaStreamSynchronize");
}

void EvaluationUpload::prepare(const r1cs::Evaluator& evaluator) {
  const std::size_t size = 3 * evaluator.largest_slice();
  for (Slot& slot : slots_) {
    if (slot.values.size() >= size) continue;
    slot.copied.synchronize();
    slot.values = {};
    slot.values = DeviceBuffer<Fr>(pinned_, size);
  }
}

r1cs::Evaluator::Room EvaluationUpload::wait_for(Slot& slot) {
  slot.copied.synchronize();
  const std::span<Fr> values = slot.values.span();
  const std::size_t third = values.size() / 3;
  return {values.first(third), values.subspan(third, third), values.subspan(2 * third, third)};
}

DeviceEvaluations EvaluationUpload::upload(const r1cs::Circuit& circuit, const r1cs::Evaluator& evaluator,
                                           const r1cs::Witness& witness, ThreadPool& pool) {
  prepare(evaluator);
  const std::size_t size = std::size_t{1} << circuit.log2_domain();
  DeviceEvaluations values{DeviceBuffer<Fr>(queue_.memory, size), DeviceBuffer<Fr>(queue_.memory, size),
                           DeviceBuffer<Fr>(queue_.memory, size)};
  for (DeviceBuffer<Fr>* const side : {&values.a, &values.b, &values.c})
    fill_bytes(std::as_writable_bytes(side->span().subspan(circuit.constraints())), 0, queue_.stream);
  std::size_t slices = 0;
  evaluator.for_each_slice(
      witness, pool, [&] { return wait_for(slots_[slices % kSlots]); },
      [&](const r1cs::Evaluator::Slice& slice) {
        copy(values.a.span().subspan(slice.first, slice.a.size()), slice.a, queue_.stream);
        copy(values.b.span().subspan(slice.first, slice.b.size()), slice.b, queue_.stream);
        copy(values.c.span().subspan(slice.first, slice.c.size()), slice.c, queue_.stream);
        slots_[slices++ % kSlots].copied.record(queue_.stream);
      });
  return values;
}

}  // namespace cuzk::cuda

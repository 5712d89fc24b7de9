/// a, b, c of a witness in a device's memory: the host evaluates slice by slice into pinned memory, and copies go on
/// meanwhile.
#pragma once

#include <array>

#include "base/thread_pool.h"
#include "cuda/device_buffer.h"
#include "cuda/queue.h"
#include "field/fr.h"
#include "r1cs/circuit.h"
#include "r1cs/evaluator.h"
#include "r1cs/witness.h"

namespace cuzk::cuda {

/// The values on the whole domain: zeros behind the constraints.
struct DeviceEvaluations {
  DeviceBuffer<Fr> a, b, c;
};

/// Keeps a ring of pinned slices, 300 MB, taken at the first use: pinning costs half a second a GiB. Serves one queue;
/// one thread at a time.
class EvaluationUpload {
 public:
  explicit EvaluationUpload(const Queue& queue) : queue_(queue) {}
  ~EvaluationUpload();
  EvaluationUpload(const EvaluationUpload&) = delete;
  EvaluationUpload& operator=(const EvaluationUpload&) = delete;

  /// The last copies may still be under way when it returns.
  DeviceEvaluations upload(const r1cs::Circuit& circuit, const r1cs::Evaluator& evaluator, const r1cs::Witness& witness,
                           ThreadPool& pool);

 private:
  static constexpr std::size_t kSlots = 3;
  struct Slot {
    DeviceBuffer<Fr> values;  ///< a, b, c one after the other; memory of the host
    Event copied;
  };

  /// Takes the ring for this circuit, where it is not yet large enough.
  void prepare(const r1cs::Evaluator& evaluator);
  r1cs::Evaluator::Room wait_for(Slot& slot);

  const Queue& queue_;
  PinnedMemory pinned_;
  std::array<Slot, kSlots> slots_;
};

}  // namespace cuzk::cuda

#include "cuda/proof_lane.h"

#include <algorithm>
#include <functional>
#include <future>
#include <utility>

#include "cuda/circuit.h"
#include "cuda/error.h"
#include "cuda/evaluation.h"
#include "cuda/msm.h"
#include "cuda/quotient.h"
#include "cuda/variable_sums.h"

namespace cuzk::cuda {
namespace {

std::vector<Stream> make_streams(unsigned count, StreamPriority priority) {
  std::vector<Stream> streams;
  for (unsigned i = 0; i < count; ++i) streams.emplace_back(priority);
  return streams;
}

}  // namespace

IdleAtEnd::~IdleAtEnd() { check_or_log(cudaStreamSynchronize(stream_.handle()), "cudaStreamSynchronize"); }

ProofLane::ProofLane(const DeviceProperties& device, Arena& memory, const Priorities& priorities, ThreadPool& pool)
    : device_(device),
      memory_(memory),
      stream_(priorities.quotient),
      queue_{device_, stream_, memory_},
      side_streams_(make_streams(VariableSums::kParts, priorities.variables)),
      staging_(stream_, pool) {}

/// What evaluation, transforms and the product with h take: the transforms hold four buffers of the domain; the product
/// holds h and, for each digit of the windows that it takes at once, keys, entries (those of the next windows too), sums
/// and products.
std::size_t ProofLane::quotient_memory(unsigned log2_domain) {
  constexpr std::size_t kBytesOfItem = 240, kSlack = std::size_t{1} << 26;
  const std::size_t size = std::size_t{1} << log2_domain;
  const std::size_t items = std::max<std::size_t>(size, msm_tuning(size).windows_at_once * size);
  return kSlack + std::max(4 * sizeof(Fr) * size, sizeof(Fr) * size + kBytesOfItem * items);
}

NttDomain& ProofLane::domain(unsigned log2_size) {
  const auto found = domains_.find(log2_size);
  return found != domains_.end() ? found->second : domains_.try_emplace(log2_size, queue_, log2_size).first->second;
}

DeviceBuffer<Fr::Integer> ProofLane::quotient_of(const DeviceCircuit& circuit, const DeviceWitness& witness,
                                                 const groth16::Control& control) {
  Span evaluating = control.span("evaluate");
  DeviceEvaluations values = evaluate(queue_, circuit, witness);
  stream_.synchronize();
  evaluating.end();
  control.check("proof");
  const Span span = control.span("quotient");
  DeviceBuffer<Fr::Integer> h =
      quotient(queue_, domain(circuit.log2_domain()), std::move(values.a), std::move(values.b), std::move(values.c));
  stream_.synchronize();
  return h;
}

G1 ProofLane::sum_quotient(const CudaKey& key, const DeviceCircuit& circuit, const DeviceWitness& witness,
                           const groth16::Control& control) {
  const std::span<const G1Affine> points = key.h();
  const DeviceBuffer<Fr::Integer> h = quotient_of(circuit, witness, control);
  control.check("proof");
  const Span span = control.span("msm_h");
  return multi_scalar_mul<G1Curve>(queue_, points, h.span().first(points.size()));
}

/// Sums of the variables beside the quotient: a stream, a thread and a part of the arena of their own.
class ProofLane::SideLane {
 public:
  /// Does `work` with its queue, once what `after` has recorded is done.
  SideLane(ProofLane& lane, const Stream& stream, std::size_t memory, const Event& after,
           std::function<void(const Queue&)> work)
      : memory_(lane.memory_, memory), queue_{lane.device_, stream, memory_}, idle_(stream) {
    queue_.stream.wait(after);
    // A thread of its own: one of the pool might be busy with another partition's witness.
    work_ = std::async(std::launch::async, [this, work = std::move(work)] {
      const DeviceGuard guard(queue_.device.ordinal);
      work(queue_);
    });
  }

  void finish() { work_.get(); }

 private:
  Arena memory_;
  Queue queue_;
  IdleAtEnd idle_;
  std::future<void> work_;
};

/// How many lanes find memory: one for each part, as for small circuits, whose sums are latency; one for all; or none.
unsigned ProofLane::side_lanes(std::size_t memory_of_one, unsigned log2_domain) const {
  const std::size_t quotient = quotient_memory(log2_domain), free = memory_.usage().largest_free;
  for (const unsigned lanes : {VariableSums::kParts, 1u}) {
    if (free >= lanes * memory_of_one + quotient) return lanes;
  }
  return 0;
}

groth16::ProofSums ProofLane::sums_of(const CudaKey& key, const DeviceCircuit& circuit, const DeviceWitness& witness,
                                      const groth16::Control& control) {
  const std::size_t memory = VariableSums::memory_of_part(64 * witness.ones().size(), witness.elements());
  const unsigned lanes = side_lanes(memory, circuit.log2_domain());
  VariableSums variables(key, circuit, witness, control);
  Event uploaded;
  uploaded.record(stream_);
  std::vector<std::unique_ptr<SideLane>> beside;
  for (unsigned i = 0; i < lanes; ++i) {
    beside.push_back(std::make_unique<SideLane>(*this, side_streams_[i], memory, uploaded, [&, i](const Queue& queue) {
      lanes == 1 ? variables.add_all(queue) : variables.add(i, queue);
    }));
  }
  const G1 h = sum_quotient(key, circuit, witness, control);
  for (const auto& lane : beside) lane->finish();
  if (beside.empty()) variables.add_all(queue_);
  groth16::ProofSums sums = variables.sums();
  sums.h = h;
  return sums;
}

groth16::Proof ProofLane::prove(const CudaKey& key, const groth16::Statement& statement,
                                const groth16::Blinding& blinding, const groth16::Control& control) {
  const std::lock_guard lock(mutex_);
  const IdleAtEnd idle(stream_);
  const DeviceGuard guard(device_.ordinal);
  Span uploading = control.span("upload");
  // What stays comes first, so that it lies beside the key and not in the middle of the room for what does not. The
  // domain has been made with the key.
  const DeviceCircuit& circuit = key.circuit(queue_, statement.circuit);
  const DeviceWitness witness(queue_, staging_, statement.witness);
  uploading.end();
  const groth16::ProofSums sums = sums_of(key, circuit, witness, control);
  const Span span = control.span("finish");
  return groth16::assemble(key.verifying_key(), sums, blinding);
}

}  // namespace cuzk::cuda

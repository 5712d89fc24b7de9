#include "cuda/proof_lane.h"

#include <algorithm>
#include <functional>
#include <future>
#include <optional>
#include <utility>

#include "base/ablation.h"
#include "cuda/circuit.h"
#include "cuda/error.h"
#include "cuda/evaluation.h"
#include "cuda/flip.h"
#include "cuda/msm.h"
#include "cuda/quotient.h"
#include "cuda/variable_sums.h"
#include "groth16/quotient.h"

namespace cuzk::cuda {
namespace {

std::vector<Stream> make_streams(unsigned count, StreamPriority priority) {
  std::vector<Stream> streams;
  for (unsigned i = 0; i < count; ++i) streams.emplace_back(priority);
  return streams;
}

}  // namespace

ProofLane::ProofLane(const DeviceProperties& device, Arena& memory, const Priorities& priorities, ThreadPool& pool,
                     const MemoryPlan& plan)
    : device_(device),
      memory_(memory),
      stream_(priorities.quotient),
      queue_{device_, stream_, memory_},
      side_streams_(make_streams(VariableSums::kParts, priorities.variables)),
      pool_(pool),
      plan_(plan),
      staging_(stream_, pool) {}

/// What evaluation, transforms and the product with h take: the transforms hold four buffers of the domain; the product
/// holds h and, for each digit of the windows that it takes at once, keys, entries (those of the next windows too), sums
/// and products.
std::size_t ProofLane::quotient_memory(const DeviceProperties& device, unsigned log2_domain) {
  constexpr std::size_t kBytesOfItem = 240, kSlack = std::size_t{1} << 26;
  const std::size_t size = std::size_t{1} << log2_domain;
  const std::size_t items = std::max<std::size_t>(size, msm_tuning(device, size).windows_at_once * size);
  return kSlack + std::max(4 * sizeof(Fr) * size, sizeof(Fr) * size + kBytesOfItem * items);
}

NttDomain& ProofLane::domain(unsigned log2_size) {
  const auto found = domains_.find(log2_size);
  return found != domains_.end() ? found->second : domains_.try_emplace(log2_size, queue_, log2_size).first->second;
}

struct ProofLane::OnDevice {
  const groth16::Statement& statement;
  const CudaKey& key;
  const DeviceCircuit& circuit;
  const DeviceWitness& witness;
  const groth16::Control& control;
};

/// The device's are canonical integers, the host's field elements.
struct ProofLane::Quotient {
  DeviceBuffer<Fr::Integer> integers;
  DeviceBuffer<Fr> elements;

  DeviceScalars scalars() const {
    if (elements.empty()) return integers.span();
    return elements.span();
  }

  /// To a hole below, where there is one, so that what is free stays in one piece for the next proof's quotient.
  void settle(const Queue& queue, const Arena& memory) {
    if (integers.empty() || memory.usage().largest_free < integers.span().size_bytes()) return;
    DeviceBuffer<Fr::Integer> hole(queue.memory, integers.size());
    if (hole.data() > integers.data()) return;
    cuda::copy(hole.span(), integers.span(), queue.stream);
    queue.stream.synchronize();
    integers = std::move(hole);
  }
};

/// The fastest that memory allows.
MemoryPlan::Quotient ProofLane::quotient_plan(unsigned log2_domain) const {
  using Plan = MemoryPlan::Quotient;
  if (plan_.quotient != Plan::automatic) return plan_.quotient;
  constexpr std::size_t kSlack = std::size_t{1} << 28;  // what blocks note while they evaluate
  const std::size_t buffer = sizeof(Fr) << log2_domain, free = memory_.usage().largest_free;
  for (const Plan plan : {Plan::at_once, Plan::by_side, Plan::parked})
    if (free >= quotient_buffers(plan) * buffer + kSlack) return plan;
  return Plan::on_host;
}

ProofLane::Quotient ProofLane::quotient_of(const OnDevice& proof) {
  const unsigned log2_domain = proof.circuit.log2_domain();
  const MemoryPlan::Quotient plan = quotient_plan(log2_domain);
  if (plan == MemoryPlan::Quotient::on_host) return quotient_of_host(proof);
  DeviceEvaluations all;
  if (plan == MemoryPlan::Quotient::at_once) {
    const Span evaluating = proof.control.span("evaluate");
    all = evaluate(queue_, proof.circuit, proof.witness);
    stream_.synchronize();
    may_flip("cuda.flip.evaluation", queue_, all.a.span());
  }
  proof.control.check("proof");
  const Span span = proof.control.span("quotient");
  const SideValues values_of = [&](Side side) {
    if (plan != MemoryPlan::Quotient::at_once) return evaluate(queue_, proof.circuit, proof.witness, side);
    return std::move(side == Side::a ? all.a : side == Side::b ? all.b : all.c);
  };
  Quotient h;
  if (plan == MemoryPlan::Quotient::parked) {
    const std::size_t size = std::size_t{1} << log2_domain;
    if (parked_.size() < size) parked_ = DeviceBuffer<Fr>(pinned_, size);
    h.integers = quotient_parked(queue_, domain(log2_domain), values_of, parked_.span());
  } else {
    h.integers = quotient(queue_, domain(log2_domain), values_of);
  }
  stream_.synchronize();
  may_flip("cuda.flip.quotient", queue_, h.integers.span());
  return h;
}

ProofLane::Quotient ProofLane::quotient_of_host(const OnDevice& proof) {
  ThreadPool pool = pool_.until(proof.control.stop);
  const Buffer<Fr> h = groth16::quotient_of(proof.statement.circuit, proof.statement.witness, pool, proof.control);
  Quotient quotient;
  quotient.elements = DeviceBuffer<Fr>(memory_, h.size());
  staging_.upload(quotient.elements.span(), h.span());
  return quotient;
}

G1 ProofLane::sum_quotient(const OnDevice& proof) {
  const Quotient h = quotient_of(proof);
  proof.control.check("proof");
  const Span span = proof.control.span("msm_h");
  const KeyPoints<G1Curve>& points = proof.key.h();
  const Tiling tiling = TileRoom(memory_, plan_.tile_points).tiling(points);
  G1 sum = G1::infinity();
  for_each_tile(queue_, points, tiling.points, [&](std::size_t first, std::span<const G1Affine> tile) {
    proof.control.check("proof");
    sum += sum_tile(tile, first, h, tiling);
  });
  return sum;
}

G1 ProofLane::sum_tile(std::span<const G1Affine> tile, std::size_t first, const Quotient& h, const Tiling& tiling) {
  return multi_scalar_mul_tuned<G1Curve>(queue_, tile, h.scalars().part(first, tile.size()),
                                         msm_tuning(device_, tile.size(), tiling.digits));
}

/// Sums of the variables beside the quotient: a stream, a thread and a part of the arena of their own.
class ProofLane::SideLane {
 public:
  /// Does `work` with its queue, once what `after` has recorded is done.
  SideLane(ProofLane& lane, const Stream& stream, std::size_t memory, const Event& after,
           std::function<void(const Queue&, const TileRoom&)> work)
      : memory_(lane.memory_, memory), queue_{lane.device_, stream, memory_, lane.queue_.stop}, idle_(stream) {
    queue_.stream.wait(after);
    // A thread of its own: one of the pool might be busy with another partition's witness.
    work_ = std::async(std::launch::async, [this, work = std::move(work)] {
      const DeviceGuard guard(queue_.device.ordinal);
      work(queue_, TileRoom(memory_, TileRoom::kAll));
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
  const std::size_t quotient = quotient_memory(device_, log2_domain), free = memory_.usage().largest_free;
  for (const unsigned lanes : {VariableSums::kParts, 1u}) {
    if (free >= lanes * memory_of_one + quotient) return lanes;
  }
  return 0;
}

groth16::ProofSums ProofLane::sums_of(const OnDevice& proof) {
  const std::size_t memory =
      VariableSums::memory_of_part(device_, 64 * proof.witness.ones().size(), proof.witness.elements());
  const bool beside_quotient = proof.key.is_resident() && !is_left_out(Optimization::sums_beside);
  const unsigned lanes = beside_quotient ? side_lanes(memory, proof.circuit.log2_domain()) : 0;
  VariableSums variables(proof.key, proof.circuit, proof.witness, proof.control);
  Event uploaded;
  uploaded.record(stream_);
  std::vector<std::unique_ptr<SideLane>> beside;
  for (unsigned i = 0; i < lanes; ++i) {
    const auto work = [&, i](const Queue& queue, const TileRoom& room) {
      lanes == 1 ? variables.add_all(queue, room) : variables.add(i, queue, room);
    };
    beside.push_back(std::make_unique<SideLane>(*this, side_streams_[i], memory, uploaded, work));
  }
  const G1 h = sum_quotient(proof);
  for (const auto& lane : beside) lane->finish();
  if (beside.empty()) variables.add_all(queue_, TileRoom(memory_, plan_.tile_points));
  groth16::ProofSums sums = variables.sums();
  sums.h = h;
  return sums;
}

groth16::Proof ProofLane::prove(const CudaKey& key, const groth16::Statement& statement,
                                const groth16::Blinding& blinding, const groth16::Control& control) {
  const std::lock_guard lock(mutex_);
  const IdleAtEnd idle(stream_);
  const DeviceGuard guard(device_.ordinal);
  const UntilStop until(queue_, control.stop);
  if (is_left_out(Optimization::kept_tables)) domains_.clear();
  Span uploading = control.span("upload");
  // What stays comes first, so that it lies beside the key and not in the middle of the room for what does not. The
  // domain has been made with the key.
  const DeviceCircuit& circuit = key.circuit(queue_, statement.circuit);
  const DeviceWitness witness(queue_, staging_, statement.witness);
  uploading.end();
  const groth16::ProofSums sums = sums_of({statement, key, circuit, witness, control});
  const Span span = control.span("finish");
  return groth16::assemble(key.verifying_key(), sums, blinding);
}

/// The stages of several proofs, side by side.
class ProofLane::Together {
 public:
  Together(ProofLane& lane, const CudaKey& key, const DeviceCircuit& circuit, const r1cs::Circuit& host_circuit,
           std::span<const groth16::ProofOfMany> proofs)
      : lane_(lane),
        key_(key),
        circuit_(circuit),
        host_circuit_(host_circuit),
        proofs_(proofs),
        witnesses_(proofs.size()),
        h_(proofs.size(), G1::infinity()),
        sums_(proofs.size()) {
    for (const groth16::ProofOfMany& proof : proofs) parts_.push_back({proof.control});
  }

  std::vector<groth16::ProofOrError> prove() {
    try {
      sum_quotients();
      sum_variables();
    } catch (...) {  // no tile of the key can be had: nobody's own failure
      for (ProofPart& part : parts_)
        if (part.failure == nullptr) part.failure = std::current_exception();
    }
    std::vector<groth16::ProofOrError> made;
    for (std::size_t i = 0; i < parts_.size(); ++i) made.push_back(proof(i));
    return made;
  }

 private:
  void sum_quotients() {
    std::vector<Quotient> quotients(parts_.size());
    for (std::size_t i = 0; i < parts_.size(); ++i) parts_[i].attempt([&] { quotients[i] = quotient(i); });
    const auto spans = spans_of(parts_, "msm_h");
    const Tiling tiling = TileRoom(lane_.memory_, lane_.plan_.tile_points).tiling(key_.h());
    for_each_tile(lane_.queue_, key_.h(), tiling.points, [&](std::size_t first, std::span<const G1Affine> tile) {
      for (std::size_t i = 0; i < parts_.size(); ++i)
        parts_[i].attempt([&] {
          const UntilStop until(lane_.queue_, parts_[i].control.stop);
          h_[i] += lane_.sum_tile(tile, first, quotients[i], tiling);
        });
    });
  }

  Quotient quotient(std::size_t i) {
    const UntilStop until(lane_.queue_, parts_[i].control.stop);
    Span uploading = parts_[i].control.span("upload");
    witnesses_[i].emplace(lane_.queue_, lane_.staging_, proofs_[i].witness);
    uploading.end();
    const groth16::Statement statement{key_, host_circuit_, proofs_[i].witness};
    Quotient h = lane_.quotient_of({statement, key_, circuit_, *witnesses_[i], parts_[i].control});
    h.settle(lane_.queue_, lane_.memory_);
    return h;
  }

  void sum_variables() {
    for (std::size_t i = 0; i < parts_.size(); ++i)
      if (parts_[i].failure == nullptr) sums_[i].emplace(key_, circuit_, *witnesses_[i], parts_[i].control);
    VariableSums::add_all_together(lane_.queue_, TileRoom(lane_.memory_, lane_.plan_.tile_points), parts_, sums_, key_);
  }

  groth16::ProofOrError proof(std::size_t i) {
    groth16::ProofOrError made;
    parts_[i].attempt([&] {
      const Span span = parts_[i].control.span("finish");
      groth16::ProofSums sums = sums_[i]->sums();
      sums.h = h_[i];
      made = groth16::assemble(key_.verifying_key(), sums, proofs_[i].blinding());
    });
    if (parts_[i].failure != nullptr) made = parts_[i].failure;
    return made;
  }

  ProofLane& lane_;
  const CudaKey& key_;
  const DeviceCircuit& circuit_;
  const r1cs::Circuit& host_circuit_;
  const std::span<const groth16::ProofOfMany> proofs_;
  std::vector<ProofPart> parts_;
  std::vector<std::optional<DeviceWitness>> witnesses_;
  std::vector<G1> h_;
  std::vector<std::optional<VariableSums>> sums_;
};

std::vector<groth16::ProofOrError> ProofLane::prove_together(const CudaKey& key, const r1cs::Circuit& circuit,
                                                             std::span<const groth16::ProofOfMany> proofs) {
  const std::lock_guard lock(mutex_);
  const IdleAtEnd idle(stream_);
  const DeviceGuard guard(device_.ordinal);
  return Together(*this, key, key.circuit(queue_, circuit), circuit, proofs).prove();
}

}  // namespace cuzk::cuda

#include "cuda/prover.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <future>
#include <utility>
#include <vector>

#include "base/error.h"
#include "cuda/circuit.h"
#include "cuda/error.h"
#include "cuda/evaluation.h"
#include "cuda/fresh_key.h"
#include "cuda/key.h"
#include "cuda/msm.h"
#include "cuda/quotient.h"
#include "cuda/variable_sums.h"
#include "cuda/witness.h"
#include "groth16/input_file.h"
#include "groth16/key_layout.h"
#include "groth16/parameters.h"
#include "groth16/proof_sums.h"
#include "groth16/statement_shape.h"

namespace cuzk::cuda {
namespace {

DeviceProperties properties_of(int ordinal) {
  const std::vector<DeviceProperties> all = devices();
  const auto found = std::ranges::find(all, ordinal, &DeviceProperties::ordinal);
  if (found == all.end()) {
    throw Error(Code::not_found, fmt::format("cuda: no device {}; {} found", ordinal, all.size()));
  }
  return *found;
}

std::size_t memory_to_reserve(const CudaProver::Options& options) {
  return options.memory != 0 ? options.memory : free_memory(options.device) / 10 * 9;
}

Stream stream_on(int device, StreamPriority priority = StreamPriority::normal) {
  const DeviceGuard guard(device);
  return Stream(priority);
}

std::vector<Stream> streams_on(int device, unsigned count, StreamPriority priority) {
  std::vector<Stream> streams;
  for (unsigned i = 0; i < count; ++i) streams.push_back(stream_on(device, priority));
  return streams;
}

std::unique_ptr<Staging> staging_on(int device, const Stream& stream, ThreadPool& pool) {
  const DeviceGuard guard(device);
  return std::make_unique<Staging>(stream, pool);
}

/// Waits, also when an exception leaves work under way: whoever comes next takes the memory that it uses.
class IdleAtEnd {
 public:
  explicit IdleAtEnd(const Stream& stream) : stream_(stream) {}
  ~IdleAtEnd() { check_or_log(cudaStreamSynchronize(stream_.handle()), "cudaStreamSynchronize"); }
  IdleAtEnd(const IdleAtEnd&) = delete;
  IdleAtEnd& operator=(const IdleAtEnd&) = delete;

 private:
  const Stream& stream_;
};

const CudaKey& key_of(const groth16::ProvingKey& key) {
  const auto* const own = dynamic_cast<const CudaKey*>(&key);
  if (own == nullptr) throw invalid_input("cuda: the proving key was loaded by another prover");
  return *own;
}

/// What evaluation, transforms and the product with h take: the transforms hold four buffers of the domain; the product
/// holds h and, for each digit of the windows that it takes at once, keys, entries (those of the next windows too), sums
/// and products.
std::size_t quotient_memory(unsigned log2_domain) {
  constexpr std::size_t kBytesOfItem = 240, kItemsAtOnce = std::size_t{1} << 27, kMostWindows = 86;
  const std::size_t size = std::size_t{1} << log2_domain;
  const std::size_t items = std::max(size, std::min(kItemsAtOnce, kMostWindows * size));
  return std::max(4 * sizeof(Fr) * size, sizeof(Fr) * size + kBytesOfItem * items);
}

/// The domain whose quotient has so many coefficients: one less than its size.
unsigned log2_domain_of(std::size_t h_points) { return static_cast<unsigned>(std::bit_width(h_points)); }

}  // namespace

CudaProver::CudaProver(const Options& options, ThreadPool& pool)
    : pool_(pool),
      properties_(properties_of(options.device)),
      memory_(options.device),
      arena_(memory_, memory_to_reserve(options)),
      stream_(stream_on(options.device)),
      queue_{properties_, stream_, arena_},
      side_streams_(streams_on(options.device, VariableSums::kParts, StreamPriority::high)),
      loading_stream_(stream_on(options.device)),
      staging_(staging_on(options.device, stream_, pool)) {}

groth16::Device CudaProver::device() const {
  return {.name = fmt::format("cuda:{}", properties_.ordinal),
          .description = fmt::format("{}, {} GiB reserved", properties_.name, arena_.usage().capacity >> 30)};
}

std::size_t CudaProver::key_memory(const std::filesystem::path& params) const {
  return groth16::read_key_lengths(groth16::InputFile(params)).memory();
}

std::size_t CudaProver::proof_memory(const r1cs::Circuit& circuit) const {
  // Beside the quotient's lie the witness and the values that meet a query, at most a field element and a place for each
  // variable. Where there is no more, one stream does all.
  constexpr std::size_t kBytesOfVariable = 2 * sizeof(Fr) + 16;
  return quotient_memory(circuit.log2_domain()) + kBytesOfVariable * circuit.aux();
}

std::shared_ptr<const groth16::ProvingKey> CudaProver::load_key(const std::filesystem::path& params,
                                                                groth16::KeyCheck check,
                                                                const groth16::Control& control) {
  const Span span = control.span("load_key");
  if (check == groth16::KeyCheck::subgroups) return upload_key(params, check, control);
  const groth16::InputFile file(params);
  const groth16::KeyLengths lengths = groth16::read_key_lengths(file);
  groth16::VerifyingKey verifying_key = groth16::read_verifying_key(file, lengths);
  const std::lock_guard lock(loading_);
  const DeviceGuard guard(properties_.ordinal);
  if (loader_ == nullptr) loader_ = std::make_unique<KeyLoader>(loading_stream_, pool_);
  auto room = room_for_key(lengths);
  const IdleAtEnd idle(loading_stream_);
  return std::make_shared<CudaKey>(std::move(verifying_key), loader_->load(file, lengths, *room, control));
}

std::unique_ptr<KeyLoader::Room> CudaProver::room_for_key(const groth16::KeyLengths& lengths) {
  const std::lock_guard lock(mutex_);  // between two proofs
  domain(log2_domain_of(lengths.h));
  stream_.synchronize();
  return std::make_unique<KeyLoader::Room>(lengths, arena_);
}

std::shared_ptr<const groth16::ProvingKey> CudaProver::upload_key(const std::filesystem::path& params,
                                                                  groth16::KeyCheck check,
                                                                  const groth16::Control& control) {
  const groth16::Parameters parameters = groth16::read_parameters(params, check, pool_, control);
  const std::lock_guard lock(mutex_);
  const IdleAtEnd idle(stream_);
  const DeviceGuard guard(properties_.ordinal);
  domain(log2_domain_of(parameters.h.size()));
  return std::make_shared<CudaKey>(parameters.verifying_key, upload_points(parameters, arena_, stream_));
}

std::shared_ptr<const groth16::ProvingKey> CudaProver::make_key(const r1cs::Circuit& circuit,
                                                                const groth16::ToxicWaste& waste,
                                                                const groth16::Control& control) {
  const Span span = control.span("make_key");
  const std::lock_guard lock(mutex_);
  const IdleAtEnd idle(stream_);
  const DeviceGuard guard(properties_.ordinal);
  domain(circuit.log2_domain());
  return cuda::make_key(queue_, circuit, waste, pool_, control);
}

NttDomain& CudaProver::domain(unsigned log2_size) {
  const auto found = domains_.find(log2_size);
  return found != domains_.end() ? found->second : domains_.try_emplace(log2_size, queue_, log2_size).first->second;
}

DeviceBuffer<Fr::Integer> CudaProver::quotient_of(const DeviceCircuit& circuit, const DeviceWitness& witness,
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

G1 CudaProver::sum_quotient(const CudaKey& key, const DeviceCircuit& circuit, const DeviceWitness& witness,
                            const groth16::Control& control) {
  const std::span<const G1Affine> points = key.h();
  const DeviceBuffer<Fr::Integer> h = quotient_of(circuit, witness, control);
  control.check("proof");
  const Span span = control.span("msm_h");
  return multi_scalar_mul<G1Curve>(queue_, points, h.span().first(points.size()));
}

/// Sums of the variables beside the quotient: a stream, a thread and a part of the arena of their own.
class CudaProver::SideLane {
 public:
  /// Does `work` with its queue, once what `after` has recorded is done.
  SideLane(CudaProver& prover, const Stream& stream, std::size_t memory, const Event& after,
           std::function<void(const Queue&)> work)
      : memory_(prover.arena_, memory), queue_{prover.properties_, stream, memory_}, idle_(stream) {
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
unsigned CudaProver::side_lanes(std::size_t memory_of_one, unsigned log2_domain) const {
  const std::size_t quotient = quotient_memory(log2_domain), free = arena_.usage().largest_free;
  for (const unsigned lanes : {VariableSums::kParts, 1u}) {
    if (free >= lanes * memory_of_one + quotient) return lanes;
  }
  return 0;
}

groth16::ProofSums CudaProver::sums_of(const CudaKey& key, const DeviceCircuit& circuit, const DeviceWitness& witness,
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

groth16::Proof CudaProver::prove(const groth16::Statement& statement, const groth16::Blinding& blinding,
                                 const groth16::Control& control) {
  const CudaKey& key = key_of(statement.key);
  check_shape(key.lengths(), statement.circuit, statement.witness);
  const std::lock_guard lock(mutex_);
  const IdleAtEnd idle(stream_);
  const DeviceGuard guard(properties_.ordinal);
  Span uploading = control.span("upload");
  // What stays comes first, so that it lies beside the key and not in the middle of the room for what does not. The
  // domain has been made with the key.
  const DeviceCircuit& circuit = key.circuit(queue_, statement.circuit);
  const DeviceWitness witness(queue_, *staging_, statement.witness);
  uploading.end();
  const groth16::ProofSums sums = sums_of(key, circuit, witness, control);
  const Span span = control.span("finish");
  return groth16::assemble(key.verifying_key(), sums, blinding);
}

}  // namespace cuzk::cuda

#include "cuda/prover.h"

#include <algorithm>
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
#include "cuda/query_sums.h"
#include "cuda/quotient.h"
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

/// The sums of the variables, h left out; the inputs' are in those of the auxiliary ones.
groth16::ProofSums sum_variables(const Queue& queue, const CudaKey& key, const DeviceCircuit& circuit,
                                 const DeviceWitness& witness, const groth16::Control& control) {
  const auto measured = [&](std::string_view name, auto&& sum) {
    control.check("proof");
    const Span span = control.span(name);
    return sum();
  };
  groth16::ProofSums sums{.h = G1::infinity(),
                          .l = G1::infinity(),
                          .a_inputs = G1::infinity(),
                          .a_aux = G1::infinity(),
                          .b_g1_inputs = G1::infinity(),
                          .b_g1_aux = G1::infinity(),
                          .b_g2_inputs = G2::infinity(),
                          .b_g2_aux = G2::infinity()};
  sums.l = measured("msm_l", [&] { return sum_query<G1Curve>(queue, key.l(), l_values(queue, witness)); });
  sums.a_aux = measured("msm_a", [&] { return sum_query<G1Curve>(queue, key.a(), a_values(queue, circuit, witness)); });
  const QueryValues b = b_values(queue, circuit, witness);
  sums.b_g1_aux = measured("msm_b_g1", [&] { return sum_query<G1Curve>(queue, key.b_g1(), b); });
  sums.b_g2_aux = measured("msm_b_g2", [&] { return sum_query<G2Curve>(queue, key.b_g2(), b); });
  return sums;
}

/// What evaluation, transforms and the product with h take: the transforms hold four buffers of the domain; the product
/// holds h and, for each digit of the windows that it takes at once, keys, entries, sums and products.
std::size_t quotient_memory(unsigned log2_domain) {
  constexpr std::size_t kBytesOfItem = 220, kItemsAtOnce = std::size_t{1} << 27, kMostWindows = 86;
  const std::size_t size = std::size_t{1} << log2_domain;
  const std::size_t items = std::max(size, std::min(kItemsAtOnce, kMostWindows * size));
  return std::max(4 * sizeof(Fr) * size, sizeof(Fr) * size + kBytesOfItem * items);
}

/// What the sums of the variables take: for each bit its place, a sum and a product, in G2; for the field elements a
/// product with all windows at once, as msm_tuning() has it, up to 2^27 digits.
std::size_t variables_memory(std::size_t variables, std::size_t elements) {
  constexpr std::size_t kBytesOfBit = 200, kBytesOfDigit = 280, kMostDigits = std::size_t{1} << 27, kWindows = 24;
  constexpr std::size_t kBytesOfElement = 48, kSlack = std::size_t{1} << 28;
  const std::size_t digits = std::max(elements, std::min(kMostDigits, kWindows * elements));
  return kSlack + kBytesOfElement * elements + std::max(kBytesOfBit * (variables - elements), kBytesOfDigit * digits);
}

}  // namespace

CudaProver::CudaProver(const Options& options, ThreadPool& pool)
    : pool_(pool),
      properties_(properties_of(options.device)),
      memory_(options.device),
      arena_(memory_, memory_to_reserve(options)),
      stream_(stream_on(options.device)),
      queue_{properties_, stream_, arena_},
      side_stream_(stream_on(options.device, StreamPriority::high)),
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
  const groth16::Parameters parameters = groth16::read_parameters(params, check, pool_, control);
  const std::lock_guard lock(mutex_);
  const IdleAtEnd idle(stream_);
  const DeviceGuard guard(properties_.ordinal);
  return std::make_shared<CudaKey>(parameters.verifying_key, upload_points(parameters, arena_, stream_));
}

std::shared_ptr<const groth16::ProvingKey> CudaProver::make_key(const r1cs::Circuit& circuit,
                                                                const groth16::ToxicWaste& waste,
                                                                const groth16::Control& control) {
  const Span span = control.span("make_key");
  const std::lock_guard lock(mutex_);
  const IdleAtEnd idle(stream_);
  const DeviceGuard guard(properties_.ordinal);
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

groth16::ProofSums CudaProver::sums_of(const CudaKey& key, const DeviceCircuit& circuit, const DeviceWitness& witness,
                                       const groth16::Control& control) {
  const std::size_t side = variables_memory(64 * witness.ones().size(), witness.elements());
  groth16::ProofSums sums;
  G1 h;
  if (arena_.usage().largest_free < side + quotient_memory(circuit.log2_domain())) {
    h = sum_quotient(key, circuit, witness, control);
    sums = sum_variables(queue_, key, circuit, witness, control);
  } else {
    Arena memory(arena_, side);
    const Queue side_queue{properties_, side_stream_, memory};
    const IdleAtEnd idle(side_stream_);
    Event uploaded;
    uploaded.record(stream_);
    side_stream_.wait(uploaded);
    // A thread of its own: one of the pool might be busy with another partition's witness.
    std::future<groth16::ProofSums> variables = std::async(std::launch::async, [&] {
      const DeviceGuard guard(properties_.ordinal);
      return sum_variables(side_queue, key, circuit, witness, control);
    });
    h = sum_quotient(key, circuit, witness, control);
    sums = variables.get();
  }
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
  // What stays comes first, so that it lies beside the key and not in the middle of the room for what does not.
  domain(statement.circuit.log2_domain());
  const DeviceCircuit& circuit = key.circuit(queue_, statement.circuit);
  const DeviceWitness witness(queue_, *staging_, statement.witness);
  uploading.end();
  const groth16::ProofSums sums = sums_of(key, circuit, witness, control);
  const Span span = control.span("finish");
  return groth16::assemble(key.verifying_key(), sums, blinding);
}

}  // namespace cuzk::cuda

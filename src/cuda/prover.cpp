#include "cuda/prover.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/error.h"
#include "cuda/fresh_key.h"
#include "cuda/key.h"
#include "cuda/msm.h"
#include "cuda/query_sums.h"
#include "cuda/quotient.h"
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

Stream stream_on(int device) {
  const DeviceGuard guard(device);
  return Stream();
}

const CudaKey& key_of(const groth16::ProvingKey& key) {
  const auto* const own = dynamic_cast<const CudaKey*>(&key);
  if (own == nullptr) throw invalid_input("cuda: the proving key was loaded by another prover");
  return *own;
}

std::vector<Fr> listed(std::span<const Fr> values, BitSpan density) {
  std::vector<Fr> result;
  for (std::size_t i = 0; i < density.size; ++i) {
    if (density[i]) result.push_back(values[i]);
  }
  return result;
}

std::vector<Fr> all_of(std::span<const Fr> values) { return {values.begin(), values.end()}; }

/// The values in device memory, zeros behind the first `count`.
DeviceBuffer<Fr> upload_first(const Queue& queue, std::span<const Fr> values, std::size_t count) {
  DeviceBuffer<Fr> buffer(queue.memory, values.size());
  copy(buffer.span().first(count), values.first(count), queue.stream);
  fill_bytes(std::as_writable_bytes(buffer.span().subspan(count)), 0, queue.stream);
  return buffer;
}

/// The sums of the variables; the inputs' are in those of the auxiliary ones.
groth16::ProofSums sum_variables(const Queue& queue, const groth16::Statement& statement, const G1& h,
                                 const groth16::Control& control) {
  const auto& [proving_key, circuit, witness] = statement;
  const CudaKey& key = key_of(proving_key);
  const auto measured = [&](std::string_view name, auto&& sum) {
    control.check("proof");
    const Span span = control.span(name);
    return sum();
  };
  const r1cs::Densities densities = circuit.densities();
  groth16::ProofSums sums{.h = h,
                          .l = G1::infinity(),
                          .a_inputs = G1::infinity(),
                          .a_aux = G1::infinity(),
                          .b_g1_inputs = G1::infinity(),
                          .b_g1_aux = G1::infinity(),
                          .b_g2_inputs = G2::infinity(),
                          .b_g2_aux = G2::infinity()};
  sums.l = measured(
      "msm_l", [&] { return sum_query<G1Curve>(queue, key.l(), upload_values(queue, {}, r1cs::select_all(witness))); });
  sums.a_aux = measured("msm_a", [&] {
    const auto values = upload_values(queue, all_of(witness.inputs()), r1cs::select_dense(witness, densities.a_aux));
    return sum_query<G1Curve>(queue, key.a(), values);
  });
  const auto b =
      upload_values(queue, listed(witness.inputs(), densities.b_inputs), r1cs::select_dense(witness, densities.b_aux));
  sums.b_g1_aux = measured("msm_b_g1", [&] { return sum_query<G1Curve>(queue, key.b_g1(), b); });
  sums.b_g2_aux = measured("msm_b_g2", [&] { return sum_query<G2Curve>(queue, key.b_g2(), b); });
  return sums;
}

}  // namespace

CudaProver::CudaProver(const Options& options, ThreadPool& pool)
    : pool_(pool),
      properties_(properties_of(options.device)),
      memory_(options.device),
      arena_(memory_, memory_to_reserve(options)),
      stream_(stream_on(options.device)),
      queue_{properties_, stream_, arena_} {}

groth16::Device CudaProver::device() const {
  return {.name = fmt::format("cuda:{}", properties_.ordinal),
          .description = fmt::format("{}, {} GiB reserved", properties_.name, arena_.usage().capacity >> 30)};
}

std::size_t CudaProver::key_memory(const std::filesystem::path& params) const {
  return groth16::read_key_lengths(groth16::InputFile(params)).memory();
}

std::size_t CudaProver::proof_memory(const r1cs::Circuit& circuit) const {
  // The transforms hold four buffers of the domain; the largest product holds h and, for each digit of the windows that
  // it takes at once, keys, entries, sums and products.
  constexpr std::size_t kBytesOfItem = 200, kItemsAtOnce = std::size_t{1} << 27, kMostWindows = 128;
  const std::size_t size = std::size_t{1} << circuit.log2_domain();
  const std::size_t items = std::max(size, std::min(kItemsAtOnce, kMostWindows * size));
  return std::max(4 * sizeof(Fr) * size, sizeof(Fr) * size + kBytesOfItem * items);
}

std::shared_ptr<const groth16::ProvingKey> CudaProver::load_key(const std::filesystem::path& params,
                                                                groth16::KeyCheck check,
                                                                const groth16::Control& control) {
  const Span span = control.span("load_key");
  const groth16::Parameters parameters = groth16::read_parameters(params, check, pool_, control);
  const std::lock_guard lock(mutex_);
  const DeviceGuard guard(properties_.ordinal);
  return std::make_shared<CudaKey>(parameters.verifying_key, upload_points(parameters, arena_, stream_));
}

std::shared_ptr<const groth16::ProvingKey> CudaProver::make_key(const r1cs::Circuit& circuit,
                                                                const groth16::ToxicWaste& waste,
                                                                const groth16::Control& control) {
  const Span span = control.span("make_key");
  const std::lock_guard lock(mutex_);
  const DeviceGuard guard(properties_.ordinal);
  return cuda::make_key(queue_, circuit, waste, pool_, control);
}

NttDomain& CudaProver::domain(unsigned log2_size) {
  if (domain_ == nullptr || domain_->size() != std::size_t{1} << log2_size) {
    domain_.reset();
    domain_ = std::make_unique<NttDomain>(queue_, log2_size);
  }
  return *domain_;
}

CudaProver::HostValues& CudaProver::host_values(unsigned log2_size) {
  const std::size_t size = std::size_t{1} << log2_size;
  if (host_values_.a.size() != size) {
    host_values_ = {};
    host_values_ = {DeviceBuffer<Fr>(pinned_, size), DeviceBuffer<Fr>(pinned_, size), DeviceBuffer<Fr>(pinned_, size)};
  }
  return host_values_;
}

DeviceBuffer<Fr> CudaProver::quotient_of(const groth16::Statement& statement, const groth16::Control& control) {
  const r1cs::Circuit& circuit = statement.circuit;
  HostValues& values = host_values(circuit.log2_domain());
  Span evaluating = control.span("evaluate");
  circuit.evaluate(statement.witness, values.a.span(), values.b.span(), values.c.span(), pool_);
  evaluating.end();
  control.check("proof");
  const auto count = static_cast<std::size_t>(circuit.constraints());
  Span uploading = control.span("upload");
  DeviceBuffer<Fr> a = upload_first(queue_, values.a.span(), count), b = upload_first(queue_, values.b.span(), count),
                   c = upload_first(queue_, values.c.span(), count);
  stream_.synchronize();
  uploading.end();
  const Span span = control.span("quotient");
  DeviceBuffer<Fr> h = quotient(queue_, domain(circuit.log2_domain()), std::move(a), std::move(b), std::move(c));
  stream_.synchronize();
  return h;
}

groth16::Proof CudaProver::prove(const groth16::Statement& statement, const groth16::Blinding& blinding,
                                 const groth16::Control& control) {
  const CudaKey& key = key_of(statement.key);
  check_shape(key.lengths(), statement.circuit, statement.witness);
  const std::lock_guard lock(mutex_);
  const DeviceGuard guard(properties_.ordinal);
  const DeviceBuffer<Fr> h = quotient_of(statement, control);
  control.check("proof");
  Span multiplying = control.span("msm_h");
  const G1 h_sum = multi_scalar_mul<G1Curve>(queue_, key.h(), h.span().first(key.h().size()));
  multiplying.end();
  const groth16::ProofSums sums = sum_variables(queue_, statement, h_sum, control);
  const Span span = control.span("finish");
  return groth16::assemble(key.verifying_key(), sums, blinding);
}

}  // namespace cuzk::cuda

#include "groth16/cpu_prover.h"

#include <algorithm>
#include <utility>

#include "groth16/key_layout.h"
#include "groth16/parameters.h"
#include "groth16/proof_sums.h"
#include "groth16/quotient.h"
#include "groth16/statement_shape.h"
#include "r1cs/expansion.h"

namespace cuzk::groth16 {
namespace {

class CpuKey : public ProvingKey {
 public:
  explicit CpuKey(Parameters parameters) : parameters_(std::move(parameters)) {}

  const VerifyingKey& verifying_key() const override { return parameters_.verifying_key; }
  std::size_t memory() const override { return parameters_.lengths().memory(); }
  const Parameters& parameters() const { return parameters_; }

 private:
  Parameters parameters_;
};

const Parameters& parameters_of(const ProvingKey& key) {
  const auto* const own = dynamic_cast<const CpuKey*>(&key);
  if (own == nullptr) throw invalid_input("cpu: the proving key was loaded by another prover");
  return own->parameters();
}

}  // namespace

Device CpuProver::device() const {
  return {.name = "cpu", .description = fmt::format("processor, {} threads", pool_.threads())};
}

std::size_t CpuProver::key_memory(const std::filesystem::path& params) const {
  return read_key_lengths(InputFile(params)).memory();
}

std::size_t CpuProver::proof_memory(const r1cs::Circuit& circuit) const {
  constexpr std::size_t kScratch = std::size_t{128} << 20;  // of transforms and products
  return (3 * sizeof(Fr) << circuit.log2_domain()) + kScratch;
}

std::size_t CpuProver::witness_memory(const r1cs::Witness& witness) const {
  return witness.memory() + (witness.is_plain() ? 0 : r1cs::expanded_memory(witness));
}

std::shared_ptr<const ProvingKey> CpuProver::load_key(const std::filesystem::path& params, KeyCheck check,
                                                      const Control& control) {
  const Span span = control.span("load_key");
  return std::make_shared<CpuKey>(read_parameters(params, check, pool_, control));
}

Proof CpuProver::prove(const Statement& statement, const Blinding& blinding, const Control& control) {
  control.check("proof");
  const auto& [key, circuit, witness] = statement;
  ThreadPool pool = pool_.until(control.stop);
  const Parameters& parameters = parameters_of(key);
  check_shape(parameters.lengths(), circuit, witness);
  const r1cs::PlainWitness plain(witness, pool);

  Buffer<Fr> h = quotient_of(circuit, *plain, pool, control);
  const G1 h_sum = sum_quotient(parameters, h.span(), pool, control);
  h = Buffer<Fr>();
  const ProofSums sums = sum_variables(parameters, circuit, *plain, h_sum, pool, control);
  const Span span = control.span("finish");
  return assemble(parameters.verifying_key, sums, blinding);
}

}  // namespace cuzk::groth16

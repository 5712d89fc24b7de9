#include "groth16/cpu_prover.h"

#include <algorithm>
#include <utility>

#include "groth16/key_layout.h"
#include "groth16/key_points.h"
#include "groth16/proof_sums.h"
#include "groth16/quotient.h"
#include "groth16/statement_shape.h"
#include "r1cs/expansion.h"

namespace cuzk::groth16 {
namespace {

class CpuKey : public ProvingKey {
 public:
  CpuKey(std::unique_ptr<const KeyPoints> points, Checked checked) : points_(std::move(points)), checked_(checked) {}

  const VerifyingKey& verifying_key() const override { return points_->verifying_key(); }
  std::size_t memory() const override { return points_->memory(); }
  Checked checked() const override { return checked_; }
  const KeyPoints& points() const { return *points_; }

 private:
  std::unique_ptr<const KeyPoints> points_;
  Checked checked_;
};

const KeyPoints& points_of(const ProvingKey& key) {
  const auto* const own = dynamic_cast<const CpuKey*>(&key);
  if (own == nullptr) throw invalid_input("cpu: the proving key was loaded by another prover");
  return own->points();
}

}  // namespace

Device CpuProver::device() const {
  return {.name = "cpu", .description = fmt::format("processor, {} threads", pool_.threads())};
}

std::size_t CpuProver::key_memory(const std::filesystem::path& params) const {
  const KeyLengths lengths = read_key_lengths(InputFile(params));
  return lengths.memory() <= largest_key_ ? lengths.memory() : memory_of_points_in_file(lengths);
}

std::size_t CpuProver::proof_memory(const r1cs::Circuit& circuit) const {
  constexpr std::size_t kScratch = std::size_t{384} << 20;  // of transforms and products; points gathered; a block
  return (2 * sizeof(Fr) << circuit.log2_domain()) + kScratch;
}

std::size_t CpuProver::witness_memory(const r1cs::Witness& witness) const {
  return witness.memory() + (witness.is_plain() ? 0 : r1cs::expanded_memory(witness));
}

std::shared_ptr<const ProvingKey> CpuProver::load_key(const std::filesystem::path& params, KeyCheck check,
                                                      const Control& control) {
  const Span span = control.span("load_key");
  if (read_key_lengths(InputFile(params)).memory() <= largest_key_) {
    return std::make_shared<CpuKey>(points_in_memory(read_parameters(params, check, pool_, control)),
                                    ProvingKey::Checked::when_loaded);
  }
  return std::make_shared<CpuKey>(points_in_file(params, check), ProvingKey::Checked::when_used);
}

Proof CpuProver::prove(const Statement& statement, const Blinding& blinding, const Control& control) {
  control.check("proof");
  const auto& [key, circuit, witness] = statement;
  ThreadPool pool = pool_.until(control.stop);
  const KeyPoints& points = points_of(key);
  check_shape(points.lengths(), circuit, witness);
  const r1cs::PlainWitness plain(witness, pool);

  Buffer<Fr> h = quotient_of(circuit, *plain, pool, control);
  const G1 h_sum = sum_quotient(points, h.span(), pool, control);
  h = Buffer<Fr>();
  const ProofSums sums = sum_variables(points, circuit, *plain, h_sum, pool, control);
  const Span span = control.span("finish");
  return assemble(points.verifying_key(), sums, blinding);
}

}  // namespace cuzk::groth16

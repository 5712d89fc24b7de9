/// `cuzk prove` of circuits of circom: with snarkjs' key, or with a circuit and a key of cuzk's own.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "common/output.h"
#include "groth16/prover.h"

namespace cuzk::apps {

/// Files; empty where they are not given.
struct CircomStatement {
  std::string zkey;          ///< proves by itself, on the processor
  std::string r1cs, params;  ///< together, on any device
  std::string wtns;
  std::string proof, public_inputs;  ///< written

  bool is_given() const { return !zkey.empty() || !r1cs.empty() || !wtns.empty(); }
};

void add_circom_options(CLI::App& command, CircomStatement& statement);

struct CircomProof {
  groth16::Proof proof;
  std::vector<Fr> public_inputs;
  std::vector<std::pair<std::string, double>> timings_ms;
};

/// Makes a proof, verifies it and writes the files that are asked for. make_prover is called for a circuit alone. Throws
/// UsageError for files that do not go together; Error as the readers, and naming the first constraint that does not hold.
CircomProof prove_circom(const CircomStatement& statement,
                         const std::function<std::unique_ptr<groth16::Prover>()>& make_prover,
                         const groth16::BlindingSource& blinding);

void print_circom_proof(Form form, const CircomStatement& statement, const CircomProof& made);

}  // namespace cuzk::apps

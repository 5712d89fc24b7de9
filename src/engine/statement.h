/// What is to be proved, as the engine sees it: some partitions of one circuit, each with a witness. Kinds of proof are
/// taught to the engine by a decoder; nothing else here knows what a sector is.
#pragma once

#include <chrono>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "base/types.h"
#include "engine/request.h"
#include "field/fr.h"
#include "groth16/control.h"
#include "r1cs/circuit.h"
#include "r1cs/witness.h"

namespace cuzk::engine {

/// A request that was read and checked. Functions may be called from several threads at once.
class Statement {
 public:
  virtual ~Statement() = default;

  /// Such as "porep-2k": names the proving key.
  virtual std::string circuit_id() const = 0;

  /// Compiled at the first call where it is not yet. Throws Error{cancelled} at once when `stop` is asked to; what is
  /// being compiled is kept for the next call.
  virtual std::shared_ptr<const r1cs::Circuit> circuit(std::stop_token stop = {}) const = 0;

  virtual std::size_t partitions() const = 0;

  /// The public inputs that a verifier derives from the request, ONE not counted.
  virtual std::vector<Fr> public_inputs(std::size_t partition) const = 0;

  /// Throws Error: invalid_input where the input is such that no witness exists; cancelled within some milliseconds of a
  /// stop.
  virtual r1cs::Witness witness(std::size_t partition, std::stop_token stop = {}) const = 0;
};

/// A compiled circuit that is kept in memory, as status answers show it.
struct CircuitStatus {
  std::string circuit_id;
  u64 bytes = 0;
  std::chrono::seconds idle{};  ///< since somebody asked for it
};

class StatementDecoder {
 public:
  virtual ~StatementDecoder() = default;

  /// Those that its statements have been proved with.
  virtual std::vector<CircuitStatus> circuits() const { return {}; }

  /// Whether a kind can be proved at all; throws Error{unavailable} saying why not. Cheap: asked before anything is
  /// queued.
  virtual void check_offered(Kind kind) const = 0;
  bool offers(Kind kind) const;

  /// Reads and checks an input; keeps what it needs of it. Adds the span "checks" for what is computed of it. Throws
  /// Error: invalid_input naming the field; cancelled within some milliseconds of a stop.
  virtual std::unique_ptr<Statement> decode(const ProofInput& input, const groth16::Control& control = {}) const = 0;
};

}  // namespace cuzk::engine

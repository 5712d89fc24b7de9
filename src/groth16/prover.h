/// What a device that makes proofs looks like to everyone else.
///
/// The CPU prover (cpu_prover.h) and every GPU prover implement it; the job engine knows devices only through it, and a
/// test's prover needs no key file: it implements load_key and prove and returns what the test wants.
///
/// Work of one proof: engine -> load_key (once) -> prove_verified (each partition) -> Proof.
#pragma once

#include <exception>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/error.h"
#include "base/types.h"
#include "groth16/blinding.h"
#include "groth16/control.h"
#include "groth16/proof.h"
#include "groth16/verifying_key.h"
#include "r1cs/circuit.h"
#include "r1cs/witness.h"

namespace cuzk::groth16 {

/// A proving key where its prover holds it: host memory, device memory, or a plan to stream it. It may be used by
/// several proofs at a time; it lives as long as anyone holds it.
class ProvingKey {
 public:
  virtual ~ProvingKey() = default;

  virtual const VerifyingKey& verifying_key() const = 0;

  /// Bytes that the key takes on its prover's device.
  virtual std::size_t memory() const = 0;

  /// When the check that load_key was asked for is made of the points.
  enum class Checked { when_loaded, when_used };
  virtual Checked checked() const { return Checked::when_loaded; }
};

/// Everything that a proof is a function of, blinding aside. The references outlive the call.
struct Statement {
  const ProvingKey& key;
  const r1cs::Circuit& circuit;
  const r1cs::Witness& witness;  ///< of this circuit
};

struct Device {
  std::string name;         ///< stable and unique in the process: "cpu", "cuda:0"
  std::string description;  ///< for people: model, threads, memory
};

/// A device's memory for keys and proofs, in bytes.
struct DeviceMemory {
  u64 total = 0;
  u64 urgent = 0;  ///< the part of it for proofs beside the others: WinningPoSt's, with their keys
};

/// A part of a device's memory that was reserved at once, at one moment; in bytes.
struct MemoryRegion {
  struct Block {
    enum class Use : u8 { free, key, tile, work, arena } use = Use::free;  ///< arena: a region of its own
    u64 bytes = 0;
  };

  std::string name;  ///< "arena"
  u64 capacity = 0, in_use = 0;
  u64 peak = 0;               ///< the most that was in use
  u64 largest_free = 0;       ///< what one allocation can still have
  std::vector<Block> blocks;  ///< from its beginning to its end; neighbours of one use are one block
};

/// One of several proofs of one circuit and key that are made together.
struct ProofOfMany {
  const r1cs::Witness& witness;  ///< of the circuit; outlives the call
  BlindingSource blinding;       ///< called once for each attempt
  Control control;               ///< of this proof alone: one that is stopped drops out, the others go on
};

/// What became of it, as prove() would have told.
using ProofOrError = std::variant<Proof, std::exception_ptr>;

class Prover {
 public:
  virtual ~Prover() = default;

  virtual Device device() const = 0;

  /// What the device has; nothing where it is the host's memory, which others share out.
  virtual std::optional<DeviceMemory> memory() const { return std::nullopt; }

  /// What it has reserved, for people who look at it; nothing where memory is the host's.
  virtual std::vector<MemoryRegion> memory_regions() const { return {}; }

  /// Bytes that load_key will take on the device for this .params file, 0 for a key that is streamed from the host; reads
  /// only its lengths. Throws as load_key.
  virtual std::size_t key_memory(const std::filesystem::path& params) const = 0;

  /// Bytes that one proof takes on the device beside its key, at its peak; where it can do with less, no more than the
  /// key leaves of memory().
  virtual std::size_t proof_memory(const r1cs::Circuit& circuit) const = 0;

  /// Bytes of host memory that a witness takes while it waits for its proof and is proved.
  virtual std::size_t witness_memory(const r1cs::Witness& witness) const { return witness.memory(); }

  /// Reads a .params file. Throws Error: not_found; invalid_input naming file, vector and index;
  /// resource_exhausted; cancelled.
  virtual std::shared_ptr<const ProvingKey> load_key(const std::filesystem::path& params, KeyCheck check,
                                                     const Control& control) = 0;

  /// One proof, not verified: callers use prove_verified. The key is one that this prover loaded (else
  /// Error{invalid_input}) and of the circuit's shape (else Error{invalid_input} naming both counts). Whether the
  /// witness satisfies the circuit is not looked at. May be called from several threads at once; a prover that can
  /// do only one at a time lets the others wait.
  virtual Proof prove(const Statement& statement, const Blinding& blinding, const Control& control) = 0;

  /// How many proofs of a circuit prove_together makes faster than prove() one after the other: more than one where a key
  /// is streamed and each of its tiles can serve them all.
  virtual u32 proofs_together(const r1cs::Circuit&) const { return 1; }

  /// Several proofs, at most proofs_together(), not verified; each as prove() makes it, in no more memory than
  /// proof_memory(). Their order is that of `proofs`. What one meets is its own result; throws nothing else. Unless a
  /// prover has something better, one after the other.
  virtual std::vector<ProofOrError> prove_together(const ProvingKey& key, const r1cs::Circuit& circuit,
                                                   std::span<const ProofOfMany> proofs);
};

/// What prove_verified gives.
struct VerifiedProof {
  Proof proof;
  u32 attempts;  ///< 1, or 2 when the first proof did not verify: a sign that the device computes wrongly at times
};

/// No attempt verifies: the witness does not satisfy the circuit, the key is another's or the device computes wrongly.
class UnverifiedProof : public Error {
 public:
  UnverifiedProof(const std::string& message, u32 attempts) : Error(Code::internal, message), attempts_(attempts) {}
  u32 attempts() const { return attempts_; }

 private:
  u32 attempts_;
};

/// A proof that the verifier accepts for the witness's public inputs. One that does not verify is made once more with
/// fresh r and s; a second failure is UnverifiedProof. Adds the span "verify" to the prover's own.
VerifiedProof prove_verified(Prover& prover, const Statement& statement, const Control& control,
                             const BlindingSource& blinding = Blinding::fresh);

/// The same for several proofs that are made together: what each comes to is as prove_verified would have it. One that does
/// not verify is made once more, alone.
std::vector<ProofOrError> prove_verified_together(Prover& prover, const ProvingKey& key, const r1cs::Circuit& circuit,
                                                  std::span<const ProofOfMany> proofs);

}  // namespace cuzk::groth16

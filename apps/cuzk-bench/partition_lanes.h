/// The partitions of one statement proved as the daemon proves them.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "base/spans.h"
#include "engine/statement.h"
#include "groth16/prover.h"
#include "groth16/verifier.h"

namespace cuzk::apps {

enum class KeySource : u8 {
  fresh,  ///< made for this run
  file,   ///< of the directory `keys`, every point checked
};

/// The key of a statement.
std::shared_ptr<const groth16::ProvingKey> key_of(const engine::Statement& statement, KeySource source,
                                                  const std::string& keys, groth16::Prover& prover,
                                                  const groth16::Control& control);

/// Lanes, two unless said otherwise: while the prover has one partition, the other lane verifies the last and makes the
/// witness of the next. All outlive it.
class PartitionLanes {
 public:
  PartitionLanes(const engine::Statement& statement, std::size_t partitions, const groth16::ProvingKey& key,
                 groth16::Prover& prover, Trace& trace, unsigned lanes = 2)
      : statement_(statement), key_(key), prover_(prover), trace_(trace), lanes_(lanes), claims_(partitions) {}

  /// All proofs are verified as they are made, and once more together. The span "partition" of the trace is the whole.
  void prove();

 private:
  void run_lane();
  void prove_one(std::size_t k);
  void prove_several(std::size_t first, std::size_t count);

  const engine::Statement& statement_;
  const groth16::ProvingKey& key_;
  groth16::Prover& prover_;
  Trace& trace_;
  const unsigned lanes_;
  std::vector<groth16::Claim> claims_;
  std::atomic<std::size_t> next_{0};
};

/// Whose work a span of such a proof is: "device", or "host" and the number of a thread. On the processor all is the host's.
std::string lane_of(const SpanRecord& span, const groth16::Prover& prover);

}  // namespace cuzk::apps

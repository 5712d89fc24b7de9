/// Many clients of one daemon at once, and what they see.
///
/// Each client has a connection of its own and one request under way: it sends, waits for the proof, rests until its next
/// turn. Beside them, on connections of their own, an urgent client sends WinningPoSt requests and a prober asks for the
/// daemon's status and the memory of its process.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/types.h"
#include "cuzk/v1/proving.pb.h"
#include "server/channel.h"

namespace cuzk::apps {

struct LoadPlan {
  server::Connection daemon;
  std::vector<v1::SubmitProofRequest> requests;     ///< taken in turn; their request ids are replaced
  std::size_t clients = 100, total = 1000;          ///< requests of all clients together
  std::chrono::milliseconds interval{0};            ///< between the starts of a client's requests; 0: no rest
  std::optional<v1::SubmitProofRequest> urgent;     ///< sent with priority CRITICAL
  std::chrono::milliseconds urgent_interval{1000};  ///< between the starts of urgent requests
  std::chrono::milliseconds probe_interval{50};     ///< between the starts of status calls
  enum class Waiting : u8 { for_proofs, for_acceptance } waiting = Waiting::for_proofs;
};

/// How long calls took, in milliseconds.
class Latencies {
 public:
  void add(double ms) { samples_.push_back(ms); }
  std::size_t count() const { return samples_.size(); }

  /// The value below which this part of them lies; 0 where there are none.
  double quantile(double part) const;

 private:
  std::vector<double> samples_;
};

/// What the calls of one kind of client came to.
struct CallResults {
  Latencies answered;                         ///< from the request to the proof
  Latencies own;                              ///< the same without the time that proving took, as the answer says it
  Latencies refused;                          ///< RESOURCE_EXHAUSTED, from the request to the refusal
  std::size_t failed = 0;                     ///< every other end
  std::map<std::string, std::size_t> errors;  ///< their messages, the first few
};

struct LoadResults {
  CallResults clients, urgent;
  Latencies status;
  std::vector<u64> memory;        ///< bytes of the daemon's process, once a second
  std::size_t distinct = 0;       ///< proofs
  std::size_t mixed_up = 0;       ///< answers with the proof of another of the requests: never
  std::vector<std::string> jobs;  ///< for_acceptance: their ids
  double seconds = 0;
};

/// Runs the plan to its end. Throws Error{unavailable} when the daemon cannot be reached.
LoadResults run_load(const LoadPlan& plan);

}  // namespace cuzk::apps

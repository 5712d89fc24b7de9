/// Many clients of one daemon at once, and what they see.
///
/// Closed loop: each client has a connection of its own and one request under way: it sends, waits for the proof, rests until
/// its next turn. Open loop (open_loop.h): requests arrive at a rate, over the clients' connections. Beside them, on connections of their own, an urgent client sends WinningPoSt requests and a prober asks for the
/// daemon's status and the memory of its process.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/types.h"
#include "cuzk/v1/proving.pb.h"
#include "measure/statistics.h"
#include "server/channel.h"

namespace cuzk::apps {

struct LoadPlan {
  server::Connection daemon;
  std::vector<v1::SubmitProofRequest> requests;     ///< taken in turn; their request ids are replaced
  std::vector<std::size_t> order = {};              ///< which of them in turn, by number; empty: each once
  std::vector<std::string> labels = {};             ///< of the requests, for figures by kind; empty: none
  std::size_t clients = 100, total = 1000;          ///< requests of all clients together
  std::chrono::milliseconds interval{0};            ///< between the starts of a client's requests; 0: no rest
  std::optional<v1::SubmitProofRequest> urgent;     ///< sent with priority CRITICAL
  std::chrono::milliseconds urgent_interval{1000};  ///< between the starts of urgent requests
  std::chrono::milliseconds probe_interval{50};     ///< between the starts of status calls
  /// Open loop.
  struct Arrivals {
    double rate = 1;  ///< requests a second
    enum class Pattern : u8 { poisson, even } pattern = Pattern::poisson;
    u64 seed = 0;
  };
  std::optional<Arrivals> arrivals = {};  ///< none: a closed loop
  std::size_t most_unanswered = 20'000;   ///< open loop: no more is sent then
  enum class Waiting : u8 { for_proofs, for_acceptance } waiting = Waiting::for_proofs;
  std::function<void(std::size_t ended)> on_progress = {};  ///< called at every probe, from a thread of the load
};

/// How long calls took, in milliseconds.
class Latencies {
 public:
  void add(double ms) { samples_.push_back(ms); }
  std::size_t count() const { return samples_.size(); }

  /// The value below which this part of them lies; 0 where there are none.
  double quantile(double part) const { return measure::quantile(samples_, part); }

  /// In the order in which they ended.
  const std::vector<double>& samples() const { return samples_; }

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
  std::map<std::string, Latencies> by_kind;  ///< those of clients that were answered, by label
  Latencies status;
  std::vector<u64> memory;        ///< bytes of the daemon's process, once a second
  std::vector<u32> each_second;   ///< proofs
  std::size_t distinct = 0;       ///< proofs
  std::size_t mixed_up = 0;       ///< answers with the proof of another of the requests: never
  std::vector<std::string> jobs;  ///< for_acceptance: their ids
  double seconds = 0;
};

/// Runs the plan to its end. Throws Error{unavailable} when the daemon cannot be reached.
LoadResults run_load(const LoadPlan& plan);

}  // namespace cuzk::apps

#include "cancels.h"

#include <chrono>
#include <optional>
#include <stop_token>
#include <thread>

#include "base/error.h"
#include "measure/statistics.h"

namespace cuzk::apps {
namespace {

using Clock = std::chrono::steady_clock;
using Ms = std::chrono::duration<double, std::milli>;

double time_proof(groth16::Prover& prover, const groth16::Statement& statement, std::stop_token stop) {
  const auto begin = Clock::now();
  prover.prove(statement, groth16::Blinding::fresh(), {.stop = std::move(stop)});
  return Ms(Clock::now() - begin).count();
}

/// Nothing where the proof was made before the stop.
std::optional<double> time_cancel(groth16::Prover& prover, const groth16::Statement& statement, Ms after) {
  std::stop_source source;
  Clock::time_point stopped;
  std::jthread stopper([&] {
    std::this_thread::sleep_for(after);
    stopped = Clock::now();
    source.request_stop();
  });
  try {
    prover.prove(statement, groth16::Blinding::fresh(), {.stop = source.get_token()});
    return std::nullopt;
  } catch (const Error& error) {
    if (error.code() != Code::cancelled) throw;
  }
  const auto ended = Clock::now();
  stopper.join();
  return Ms(ended - stopped).count();
}

std::size_t memory_in_use(const groth16::Prover& prover) {
  std::size_t bytes = 0;
  for (const groth16::MemoryRegion& region : prover.memory_regions()) bytes += region.in_use;
  return bytes;
}

}  // namespace

Cancels time_cancels(groth16::Prover& prover, const groth16::Statement& statement, unsigned count) {
  constexpr int kProofs = 5;
  Cancels cancels;
  const std::stop_source never;
  for (int i = 0; i < kProofs; ++i) {
    cancels.proofs.push_back(time_proof(prover, statement, {}));
    cancels.stoppable.push_back(time_proof(prover, statement, never.get_token()));
  }
  const std::size_t before = memory_in_use(prover);
  const double whole = measure::quantile(cancels.stoppable, 0.5);
  for (unsigned i = 0; i < count; ++i)
    if (const auto end = time_cancel(prover, statement, Ms(whole * (i + 0.5) / count))) cancels.ends.push_back(*end);
  if (memory_in_use(prover) != before)
    throw internal_error("{} stopped proofs: {} bytes of the device in use, {} before them", count,
                         memory_in_use(prover), before);
  return cancels;
}

}  // namespace cuzk::apps

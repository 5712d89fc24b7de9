/// Times what a queue does between two events, for benchmarks with manual time.
#pragma once

#include <benchmark/benchmark.h>

#include "support/gpu_queue.h"

namespace cuzk::bench {

/// Runs `work` once for each iteration and reports the device's time of it. `items` of it are done in an iteration.
template <class Work>
void time_on_device(benchmark::State& state, const cuda::Queue& queue, double items, Work&& work) {
  cuda::Event begin(cuda::EventTiming::enabled), end(cuda::EventTiming::enabled);
  work();  // the first call loads code and tables
  for ([[maybe_unused]] const auto iteration : state) {
    begin.record(queue.stream);
    work();
    end.record(queue.stream);
    end.synchronize();
    state.SetIterationTime(std::chrono::duration<double>(cuda::elapsed(begin, end)).count());
  }
  state.counters["items/s"] =
      benchmark::Counter(items * static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}

}  // namespace cuzk::bench

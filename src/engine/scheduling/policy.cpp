#include "engine/scheduling/policy.h"

#include "base/error.h"

namespace cuzk::engine {

void check(const SchedulerPolicy& policy) {
  if (policy.urgent_host > policy.host_budget) {
    throw invalid_input("scheduler: urgent_host is {} bytes, more than host_budget, {} bytes", policy.urgent_host,
                        policy.host_budget);
  }
  if (policy.max_batch_size == 0) throw invalid_input("scheduler: max_batch_size is 0, expected at least 1");
  if (policy.spread_backlog == 0) throw invalid_input("scheduler: spread_backlog is 0, expected at least 1");
  if (policy.aging_step <= Duration::zero()) throw invalid_input("scheduler: aging_step is not positive");
  if (policy.patience <= Duration::zero()) throw invalid_input("scheduler: patience is not positive");
  if (policy.stall_after <= Duration::zero()) throw invalid_input("scheduler: stall_after is not positive");
  if (policy.aging_ceiling == Priority::critical) {
    throw invalid_input("scheduler: aging_ceiling is critical: who waits would displace who is late at once");
  }
  for (const Kind kind : kKinds) {
    if (policy.kinds[static_cast<std::size_t>(kind)].max_batches == 0)
      throw invalid_input("scheduler: max_batches of {} is 0, expected at least 1", name(kind));
  }
}

}  // namespace cuzk::engine

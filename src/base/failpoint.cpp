#include "base/failpoint.h"

#include <charconv>
#include <chrono>
#include <cstdlib>
#include <map>
#include <mutex>
#include <optional>
#include <thread>

namespace cuzk::failpoint {
namespace {

class Registry {
 public:
  void arm(std::string_view place, const Plan& plan) {
    const std::lock_guard lock(mutex_);
    plans_.insert_or_assign(std::string(place), plan);
  }

  void disarm_all() {
    const std::lock_guard lock(mutex_);
    plans_.clear();
  }

  /// The plan to follow now, counted down.
  std::optional<Plan> take(std::string_view place) {
    const std::lock_guard lock(mutex_);
    const auto found = plans_.find(place);
    if (found == plans_.end() || found->second.times == 0) return std::nullopt;
    Plan& plan = found->second;
    if (plan.skip != 0) {
      --plan.skip;
      return std::nullopt;
    }
    if (plan.times != UINT32_MAX) --plan.times;
    return plan;
  }

 private:
  std::mutex mutex_;
  std::map<std::string, Plan, std::less<>> plans_;
};

Registry& registry() {
  static Registry registry;
  return registry;
}

u32 parse_milliseconds(std::string_view text, std::string_view part) {
  u32 value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size())
    throw invalid_input("failpoints: '{}' has no number of milliseconds", part);
  return value;
}

Code parse_code(std::string_view text, std::string_view part) {
  for (const Code code : {Code::invalid_input, Code::not_found, Code::resource_exhausted, Code::cancelled,
                          Code::deadline, Code::device_lost, Code::unavailable, Code::internal})
    if (text == name(code)) return code;
  throw invalid_input("failpoints: '{}' has no code of an error", part);
}

void arm_one(std::string_view part) {
  const auto equals = part.find('=');
  if (equals == std::string_view::npos || equals == 0)
    throw invalid_input("failpoints: '{}', expected place=error[:CODE], place=sleep:MILLISECONDS or place=abort", part);
  const auto action = part.substr(equals + 1);
  Plan plan;
  if (action.starts_with("sleep:")) {
    plan.action = Action::sleep;
    plan.milliseconds = parse_milliseconds(action.substr(6), part);
  } else if (action.starts_with("error:")) {
    plan.code = parse_code(action.substr(6), part);
  } else if (action == "abort") {
    plan.action = Action::abort;
  } else if (action != "error") {
    throw invalid_input("failpoints: '{}' asks for '{}', expected error[:CODE], sleep:MILLISECONDS or abort", part,
                        action);
  }
  registry().arm(part.substr(0, equals), plan);
}

void arm_from_environment_once() {
  static std::once_flag once;
  std::call_once(once, [] {
    if (const char* text = std::getenv("CUZK_FAILPOINTS")) arm_from_text(text);
  });
}

}  // namespace

void arm(std::string_view place, const Plan& plan) { registry().arm(place, plan); }

void disarm_all() { registry().disarm_all(); }

void arm_from_text(std::string_view text) {
  while (!text.empty()) {
    const auto comma = text.find(',');
    if (comma != 0) arm_one(text.substr(0, comma));
    text = comma == std::string_view::npos ? std::string_view{} : text.substr(comma + 1);
  }
}

void pass(std::string_view place) {
  arm_from_environment_once();
  const auto plan = registry().take(place);
  if (!plan) return;
  switch (plan->action) {
    case Action::error: throw Error(plan->code, fmt::format("failpoint {}: made to fail", place));
    case Action::sleep: std::this_thread::sleep_for(std::chrono::milliseconds(plan->milliseconds)); return;
    case Action::abort: std::_Exit(134);
  }
}

}  // namespace cuzk::failpoint

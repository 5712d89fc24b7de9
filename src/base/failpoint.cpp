#include "base/failpoint.h"

#include <charconv>
#include <chrono>
#include <cstdlib>
#include <fstream>
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
    count(place);
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

  std::map<std::string, u64, std::less<>> passes() {
    const std::lock_guard lock(mutex_);
    return passes_;
  }

 private:
  void count(std::string_view place) {
    const auto known = passes_.find(place);
    if (known != passes_.end()) {
      ++known->second;
    } else {
      passes_.emplace(place, 1);
    }
  }

  std::mutex mutex_;
  std::map<std::string, Plan, std::less<>> plans_;
  std::map<std::string, u64, std::less<>> passes_;
};

Registry& registry() {
  static Registry& registry = *new Registry;  // places are passed after everything that is destroyed
  return registry;
}

u32 parse_number(std::string_view text, std::string_view part, std::string_view what) {
  u32 value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size())
    throw invalid_input("failpoints: '{}' has no number of {}", part, what);
  return value;
}

/// What follows the mark, which is cut off with it; nothing where it is not there.
std::optional<std::string_view> cut_off(std::string_view& text, char mark) {
  const auto place = text.find(mark);
  if (place == std::string_view::npos) return std::nullopt;
  const auto rest = text.substr(place + 1);
  text = text.substr(0, place);
  return rest;
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
    throw invalid_input(
        "failpoints: '{}', expected place=error[:CODE], place=sleep:MILLISECONDS, place=abort or place=flip", part);
  auto action = part.substr(equals + 1);
  Plan plan;
  if (const auto times = cut_off(action, '*')) plan.times = parse_number(*times, part, "times");
  if (const auto skip = cut_off(action, '@')) plan.skip = parse_number(*skip, part, "passes");
  if (action.starts_with("sleep:")) {
    plan.action = Action::sleep;
    plan.milliseconds = parse_number(action.substr(6), part, "milliseconds");
  } else if (action.starts_with("error:")) {
    plan.code = parse_code(action.substr(6), part);
  } else if (action == "abort") {
    plan.action = Action::abort;
  } else if (action == "flip") {
    plan.action = Action::flip;
  } else if (action != "error") {
    throw invalid_input("failpoints: '{}' asks for '{}', expected error[:CODE], sleep:MILLISECONDS, abort or flip",
                        part, action);
  }
  registry().arm(part.substr(0, equals), plan);
}

void write_counts() {
  std::ofstream file(std::getenv("CUZK_FAILPOINT_COUNTS"));
  for (const auto& [place, count] : registry().passes()) file << place << ' ' << count << '\n';
}

void arm_from_environment_once() {
  static std::once_flag once;
  std::call_once(once, [] {
    if (std::getenv("CUZK_FAILPOINT_COUNTS") != nullptr) std::atexit(write_counts);
    if (const char* text = std::getenv("CUZK_FAILPOINTS")) arm_from_text(text);
  });
}

}  // namespace

void arm(std::string_view place, const Plan& plan) { registry().arm(place, plan); }

void disarm_all() { registry().disarm_all(); }

std::map<std::string, u64, std::less<>> passes() { return registry().passes(); }

void arm_from_text(std::string_view text) {
  while (!text.empty()) {
    const auto comma = text.find(',');
    if (comma != 0) arm_one(text.substr(0, comma));
    text = comma == std::string_view::npos ? std::string_view{} : text.substr(comma + 1);
  }
}

void pass(std::string_view place) { wants_flip(place); }

bool wants_flip(std::string_view place) {
  arm_from_environment_once();
  const auto plan = registry().take(place);
  if (!plan) return false;
  switch (plan->action) {
    case Action::error: throw Error(plan->code, fmt::format("failpoint {}: made to fail", place));
    case Action::sleep: std::this_thread::sleep_for(std::chrono::milliseconds(plan->milliseconds)); return false;
    case Action::abort: std::_Exit(134);
    case Action::flip: return true;
  }
  return false;
}

}  // namespace cuzk::failpoint

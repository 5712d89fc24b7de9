#include "base/spans.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <iterator>

#include "base/json_text.h"

namespace cuzk {
namespace {

u32 this_thread_number() {
  static std::atomic<u32> next{0};
  thread_local const u32 number = next.fetch_add(1, std::memory_order_relaxed);
  return number;
}

double microseconds(std::chrono::nanoseconds time) { return std::chrono::duration<double, std::micro>(time).count(); }

}  // namespace

void Trace::add(std::string_view name, std::optional<u32> item, Clock::time_point begin, Clock::time_point end) {
  SpanRecord record{std::string(name), item, begin - origin_, end - begin, this_thread_number()};
  const std::lock_guard lock(mutex_);
  records_.push_back(std::move(record));
}

std::vector<SpanRecord> Trace::records() const {
  std::vector<SpanRecord> sorted;
  {
    const std::lock_guard lock(mutex_);
    sorted = records_;
  }
  std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.start < b.start; });
  return sorted;
}

std::vector<std::pair<std::string, double>> Trace::totals_ms() const {
  std::vector<std::pair<std::string, double>> totals;
  for (const auto& record : records()) {
    auto found =
        std::find_if(totals.begin(), totals.end(), [&](const auto& total) { return total.first == record.name; });
    if (found == totals.end()) found = totals.insert(found, {record.name, 0.0});
    found->second += microseconds(record.duration) / 1000;
  }
  return totals;
}

void Trace::clear() {
  std::vector<SpanRecord> freed;
  const std::lock_guard lock(mutex_);
  records_.swap(freed);
}

Span::Span(Trace* trace, std::string_view name, std::optional<u32> item)
    : trace_(trace), name_(name), item_(item), begin_(Trace::Clock::now()) {}

void Span::end() noexcept {
  if (trace_ == nullptr) return;
  Trace* const trace = std::exchange(trace_, nullptr);
  try {
    trace->add(name_, item_, begin_, Trace::Clock::now());
  } catch (...) {
    // Out of memory for a record of a few bytes: the timing is lost, the job's own error is on its way.
  }
}

std::string chrome_trace_json(const std::vector<SpanRecord>& records) {
  std::string text = R"({"displayTimeUnit":"ms","traceEvents":[)";
  std::string_view separator;
  for (const auto& record : records) {
    fmt::format_to(std::back_inserter(text), R"({}{{"ph":"X","pid":1,"tid":{},"name":{},"ts":{:.3f},"dur":{:.3f})",
                   separator, record.thread, json_quoted(record.name), microseconds(record.start),
                   microseconds(record.duration));
    if (record.item) fmt::format_to(std::back_inserter(text), R"(,"args":{{"item":{}}})", *record.item);
    text += '}';
    separator = ",\n";
  }
  return text + "]}\n";
}

}  // namespace cuzk

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "measure/report.h"

namespace cuzk::measure {
namespace {

/// "2^20" for powers of two from 1024 on, else the number.
std::string show_size(double size) {
  const double log2 = std::log2(size);
  if (size >= 1024 && log2 == std::floor(log2)) return fmt::format("2^{:.0f}", log2);
  return fmt::format("{:g}", size);
}

std::string label_of(const Measurement& each) {
  if (!each.size) return each.name;
  return fmt::format("{}, {} {}", each.name, show_size(*each.size), each.size_of);
}

std::string show(double value) {
  const double size = std::abs(value);
  if (size >= 1000) return fmt::format("{:.0f}", value);
  if (size >= 100) return fmt::format("{:.1f}", value);
  if (size >= 10) return fmt::format("{:.2f}", value);
  return fmt::format("{:.3f}", value);
}

/// Of the columns that hold words.
struct Widths {
  std::size_t label = 12, unit = 4;
};

Widths widths_of(const Result& result) {
  Widths widths;
  for (const auto& each : result.measurements) {
    widths.label = std::max(widths.label, label_of(each).size() + 2);
    widths.unit = std::max(widths.unit, each.unit.size());
  }
  return widths;
}

std::string row(const Measurement& each, const Widths& widths, std::size_t comparisons) {
  const Summary s = summary_of(each.samples);
  std::string text =
      fmt::format("{:<{}}{:>10} {:<{}}{:>10}{:>10}{:>10}{:>8.1f}%{:>7}\n", label_of(each), widths.label, show(s.median),
                  each.unit, widths.unit, show(s.p90), show(s.p99), show(s.least), 100 * s.spread, s.count);
  if (const auto comparison = each.comparison(comparisons)) {
    text += fmt::format("{:<{}}{:>10} {:<{}} of {}: {}\n", "", widths.label,
                        show(summary_of(each.baseline->samples).median), each.unit, widths.unit, each.baseline->of,
                        text_of(*comparison));
  }
  return text;
}

}  // namespace

std::string text_of(const Result& result) {
  const Widths widths = widths_of(result);
  std::string text = fmt::format("{:<{}}{:>10} {:<{}}{:>10}{:>10}{:>10}{:>9}{:>7}\n", "", widths.label, "median", "",
                                 widths.unit, "p90", "p99", "least", "spread", "n");
  for (const auto& each : result.measurements) text += row(each, widths, result.comparisons());
  text.pop_back();
  return text;
}

}  // namespace cuzk::measure

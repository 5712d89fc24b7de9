#include <fmt/format.h>

#include <string_view>

#include "measure/report.h"

namespace cuzk::measure {
namespace {

std::string field(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + '"';
}

std::string lines(const Result& result, const Measurement& each, std::string_view set,
                  const std::vector<double>& samples) {
  std::string text;
  const std::string size = each.size ? fmt::format("{}", *each.size) : "";
  for (std::size_t i = 0; i < samples.size(); ++i) {
    text += fmt::format("{},{},{},{},{},{},{}\r\n", field(result.command), field(each.name), field(each.unit), size,
                        field(set), i, samples[i]);
  }
  return text;
}

}  // namespace

std::string csv_of(const std::vector<Result>& results) {
  std::string text = "command,name,unit,size,set,number,value\r\n";
  for (const Result& result : results) {
    for (const Measurement& each : result.measurements) {
      text += lines(result, each, "new", each.samples);
      if (each.baseline) text += lines(result, each, "baseline", each.baseline->samples);
    }
  }
  return text;
}

}  // namespace cuzk::measure

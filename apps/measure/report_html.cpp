#include <fmt/format.h>

#include <string_view>

#include "measure/report.h"
#include "measure/report_files.h"
#include "measure/result_json.h"

namespace cuzk::measure {
namespace {

/// JSON that may stand in a script element: what could end the element or begin a comment is written as an escape, which
/// JSON's reader takes back.
std::string for_script(std::string_view json) {
  std::string text;
  text.reserve(json.size());
  for (const char c : json) {
    if (c == '<' || c == '>' || c == '&') {
      text += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      text += c;
    }
  }
  return text;
}

std::string for_text(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '<': escaped += "&lt;"; break;
      case '>': escaped += "&gt;"; break;
      case '&': escaped += "&amp;"; break;
      default: escaped += c;
    }
  }
  return escaped;
}

std::string title_of(const std::vector<Result>& results) {
  std::string title = "cuzk-bench";
  for (const Result& result : results) title.append(&result == results.data() ? " " : ", ").append(result.command);
  return title;
}

}  // namespace

std::string html_of(const std::vector<Result>& results) {
  std::string data;
  for (const Result& result : results) data.append(data.empty() ? "" : ",").append(to_json(result));
  constexpr std::string_view kPolicy =
      "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:";
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{}</title>\n<style>{}</style>\n"
      "</head>\n<body>\n<main id=\"report\"></main>\n<script id=\"results\" type=\"application/json\">[{}]</script>\n"
      "<script>{}</script>\n</body>\n</html>\n",
      kPolicy, for_text(title_of(results)), kReportStyle, for_script(data), kReportScript);
}

}  // namespace cuzk::measure

/// The script and the style of the HTML report: the files of web/report, in the program.
#pragma once

#include <string_view>

namespace cuzk::measure {

extern const std::string_view kReportScript, kReportStyle;

}  // namespace cuzk::measure

/// Results for people and for spreadsheets.
#pragma once

#include <string>
#include <vector>

#include "measure/result.h"

namespace cuzk::measure {

/// A table for a terminal: a line for each measurement, with a verdict where there is a baseline.
std::string text_of(const Result& result);

/// A header and a line for each sample: command, name, unit, size, set ("new" or "baseline"), number, value. RFC 4180.
std::string csv_of(const std::vector<Result>& results);

/// One page with plots that needs nothing but itself: script, style and data are in it, and it forbids itself to load
/// anything. Whatever the results' texts contain, they stay texts.
std::string html_of(const std::vector<Result>& results);

}  // namespace cuzk::measure

/// Results as JSON: one object, `"schema": "cuzk-bench/1"`.
///
/// Beside what a result holds, a measurement says its summary and its comparison, for readers without statistics; both are
/// computed again when a result is read.
#pragma once

#include <string>
#include <string_view>

#include "measure/result.h"

namespace cuzk::measure {

inline constexpr const char* kSchema = "cuzk-bench/1";

std::string to_json(const Result& result);

/// One object of to_json(). Throws Error{invalid_input} naming the field that is missing or wrong; fields that are not
/// known are left out.
Result result_from_json(std::string_view text);
std::vector<Result> results_from_json(std::string_view text);  ///< or of a list of them

/// The same of a file; errors begin with its name. read_results: of a file with one object or a list of them.
Result read_result(const std::string& path);
std::vector<Result> read_results(const std::string& path);

}  // namespace cuzk::measure

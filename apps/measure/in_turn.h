/// A program, or a daemon, measured beside another: both run again and again, A B A B, so that what changes on the machine
/// with time changes for both.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/progress.h"
#include "measure/options.h"
#include "measure/result.h"

namespace cuzk::measure {

/// The arguments of this process, the program's name left out.
std::vector<std::string> own_arguments();

/// `arguments` without the named options and their values; a value follows its option or stands behind "=". What follows an
/// option that is named with '?' at its end is its value unless it begins with '-' ("-" itself is one).
std::vector<std::string> without_options(const std::vector<std::string>& arguments,
                                         const std::vector<std::string>& options);

/// Runs this program and `options.against` ("self" is this one) with this process's arguments, in turn, each as often as a
/// verdict on all measurements needs, or options.rounds times. One sample of the result is the median of one run; the
/// baseline runs without --without. Where `options.against` is a daemon this program runs in its place, with --connect to
/// that. Stages and series are those of the last run of this program. Throws Error{invalid_input} with the program's words
/// when a run fails.
Result measure_in_turn(const MeasureOptions& options, const ProgressCallback& on_progress);

/// The result of `options.against`, a file, beside each measurement of the same name, size and unit. Throws as read_result.
void set_beside(Result& result, const std::string& file);

/// What --against names.
enum class Against {
  file,     ///< a result
  program,  ///< "self", or one that may be run
  daemon,   ///< an address: "unix:...", or "host:port"
};

/// Throws Error: not_found; invalid_input for a file that is neither.
Against kind_of(const std::string& against);

}  // namespace cuzk::measure

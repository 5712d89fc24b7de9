/// The frame of a measuring command: baseline, environment, files, what is printed.
#pragma once

#include <functional>
#include <string>

#include "measure/options.h"
#include "measure/recorder.h"

namespace cuzk::measure {

/// Runs `work`, which fills the recorder, and writes what came of it as the options ask; with --against a program runs this
/// process's command again and again instead. Optimizations of --without are left out meanwhile. Throws Error for files that
/// cannot be read or written, before the work where that can be known.
void run_measured(const std::string& command, const MeasureOptions& options,
                  const std::function<void(Recorder&)>& work);

/// Writes a finished result, or several, to the files that the options name; `text` is what people see on standard output.
void write_results(const MeasureOptions& options, const std::vector<Result>& results, const std::string& text);

}  // namespace cuzk::measure

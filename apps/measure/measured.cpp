#include "measure/measured.h"

#include "base/ablation.h"
#include "base/error.h"
#include "common/files.h"
#include "common/output.h"
#include "measure/environment.h"
#include "measure/in_turn.h"
#include "measure/memory_watch.h"
#include "measure/report.h"
#include "measure/result_json.h"

namespace cuzk::measure {
namespace {

void check_files(const MeasureOptions& options) {
  for (const std::string* const file : {&options.json, &options.csv, &options.html})
    if (!file->empty() && *file != "-") apps::check_can_write(*file);
}

void write(const std::string& path, const std::string& text) {
  if (!path.empty()) apps::write_file(path, apps::bytes_of(text));
}

/// Optimizations that are left out as long as it lives.
class LeftOut {
 public:
  explicit LeftOut(const std::vector<std::string>& names) {
    for (const std::string& name : names) optimization_named(name);  // all are known before the first is left out
    for (const std::string& name : names) leave_out(optimization_named(name));
  }
  ~LeftOut() { leave_nothing_out(); }
  LeftOut(const LeftOut&) = delete;
  LeftOut& operator=(const LeftOut&) = delete;
};

Result measure_here(const MeasureOptions& options, Recorder& recorder, const std::function<void(Recorder&)>& work) {
  const LeftOut left_out(options.without);
  MemoryWatch memory;
  work(recorder);
  Series seen = memory.stop();
  Result result = recorder.take();
  result.series.push_back(std::move(seen));
  return result;
}

std::string json_text(const std::vector<Result>& results) {
  if (results.size() == 1) return to_json(results.front());
  std::string text = "[";
  for (const Result& result : results) text.append(&result == results.data() ? "" : ",\n").append(to_json(result));
  return text.append("]");
}

}  // namespace

void write_results(const MeasureOptions& options, const std::vector<Result>& results, const std::string& text) {
  if (!options.json.empty() && options.json != "-") write(options.json, json_text(results) + "\n");
  if (!options.csv.empty()) write(options.csv, csv_of(results));
  if (!options.html.empty()) write(options.html, html_of(results));
  std::cout << (options.json == "-" ? json_text(results) : text) << '\n';
}

void run_measured(const std::string& command, const MeasureOptions& options,
                  const std::function<void(Recorder&)>& work) {
  check_files(options);
  const bool in_turn = !options.against.empty() && kind_of(options.against) != Against::file;
  const std::string begun = time_now();
  auto environment = measure::environment();
  Recorder recorder(options);
  const auto show = [&](const ProgressUpdate& update) {
    recorder.progress(std::string(update.stage), update.done, update.total);
  };
  Result result = in_turn ? measure_in_turn(options, show) : measure_here(options, recorder, work);
  result.command = command;
  result.arguments = own_arguments();
  result.begun = begun;
  result.environment = std::move(environment);
  result.without = options.without;
  result.warmup = options.warmup;
  if (!in_turn && !options.against.empty()) set_beside(result, options.against);
  const std::string text = recorder.text() + text_of(result);
  recorder.end_progress();
  write_results(options, {result}, text);
}

}  // namespace cuzk::measure

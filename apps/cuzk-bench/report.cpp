#include "report.h"

#include <memory>

#include "measure/measured.h"
#include "measure/report.h"
#include "measure/result_json.h"

namespace cuzk::apps {
namespace {

struct ReportOptions {
  std::vector<std::string> files;
  measure::MeasureOptions output;
};

void run_report(const ReportOptions& options) {
  std::vector<measure::Result> results;
  std::string text;
  for (const std::string& file : options.files) {
    for (measure::Result& result : measure::read_results(file)) {
      text += fmt::format("{}{}: {} of {}\n{}\n", text.empty() ? "" : "\n", file, result.command, result.begun,
                          measure::text_of(result));
      results.push_back(std::move(result));
    }
  }
  text.pop_back();
  measure::write_results(options.output, results, text);
}

}  // namespace

void add_report(CLI::App& program) {
  auto options = std::make_shared<ReportOptions>();
  auto* command = program.add_subcommand("report", "Shows results that other commands wrote with --json, together");
  command->add_option("FILES", options->files, "results")->required()->check(CLI::ExistingFile);
  measure::add_output_options(*command, options->output);
  command->footer("Example: cuzk-bench report msm.json ntt.json --html report.html");
  command->callback([options] { run_report(*options); });
}

}  // namespace cuzk::apps

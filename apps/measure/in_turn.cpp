#include "measure/in_turn.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/error.h"
#include "common/files.h"
#include "common/temporary_directory.h"
#include "measure/result_json.h"

namespace cuzk::measure {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSelf = "/proc/self/exe";

/// Of both programs: what this process alone does.
const std::vector<std::string> kOwn{"--against", "--rounds", "--json?", "--csv", "--html"};

std::string whole_text(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

void redirect(const fs::path& file, int descriptor) {
  const int opened = ::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  ::dup2(opened, descriptor);
}

/// Its exit status; output and errors go to the file.
int run_program(const std::vector<std::string>& command, const fs::path& output) {
  std::vector<char*> words;
  words.reserve(command.size() + 1);
  for (const auto& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  const pid_t id = ::fork();
  if (id < 0) throw Error(Code::resource_exhausted, fmt::format("{}: cannot be started", command.front()));
  if (id == 0) {
    redirect(output, STDOUT_FILENO);
    redirect(output, STDERR_FILENO);
    ::execv(words.front(), words.data());
    ::_exit(127);
  }
  int status = 0;
  ::waitpid(id, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

Result run_once(const std::string& program, const std::vector<std::string>& arguments) {
  const apps::TemporaryDirectory directory;
  const fs::path json = directory / "result.json", output = directory / "output";
  std::vector<std::string> command{program};
  command.insert(command.end(), arguments.begin(), arguments.end());
  command.push_back("--json=" + json.string());
  if (const int status = run_program(command, output); status != 0) {
    throw invalid_input("{}: exit status {}, expected 0 from a cuzk-bench that knows this command: {}", program, status,
                        whole_text(output));
  }
  return read_result(json.string());
}

bool same(const Measurement& a, const Measurement& b) {
  return a.name == b.name && a.size == b.size && a.unit == b.unit;
}

const Measurement* find(const Result& result, const Measurement& wanted) {
  const auto found = std::ranges::find_if(result.measurements, [&](const auto& each) { return same(each, wanted); });
  return found == result.measurements.end() ? nullptr : &*found;
}

/// The medians of one round, behind those of the rounds before. A measurement that the other program does not have loses its
/// baseline.
void add_round(Result& all, const Result& ours, const Result& theirs) {
  for (Measurement& each : all.measurements) {
    const Measurement* const mine = find(ours, each);
    const Measurement* const other = find(theirs, each);
    if (mine == nullptr) continue;
    each.samples.push_back(quantile(mine->samples, 0.5));
    if (other == nullptr) each.baseline.reset();
    if (each.baseline) each.baseline->samples.push_back(quantile(other->samples, 0.5));
  }
}

/// A result with the measurements of another, and no samples yet.
Result emptied(const Result& first, const std::string& against) {
  Result all = first;
  for (Measurement& each : all.measurements) {
    each.samples.clear();
    each.baseline = Baseline{against, Baseline::Taken::in_turn, {}};
  }
  return all;
}

bool is_program_of_its_own(const std::string& against) {
  return against != "self" && kind_of(against) == Against::program;
}

std::vector<std::string> arguments_of_baseline(const std::vector<std::string>& arguments, const std::string& against) {
  auto theirs = without_options(arguments, {"--without", "--trace"});
  if (kind_of(against) != Against::daemon) return theirs;
  theirs = without_options(theirs, {"--connect"});
  theirs.push_back("--connect=" + against);
  return theirs;
}

/// "host:port".
bool is_address(const std::string& text) {
  const auto colon = text.rfind(':');
  return colon != std::string::npos && colon > 0 && colon + 1 < text.size() &&
         text.find_first_not_of("0123456789", colon + 1) == std::string::npos;
}

}  // namespace

std::vector<std::string> own_arguments() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::vector<std::string> arguments;
  for (std::string word; std::getline(file, word, '\0');) arguments.push_back(word);
  if (!arguments.empty()) arguments.erase(arguments.begin());
  return arguments;
}

std::vector<std::string> without_options(const std::vector<std::string>& arguments,
                                         const std::vector<std::string>& options) {
  std::vector<std::string> kept;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& word = arguments[i];
    const auto found = std::ranges::find_if(options, [&](const std::string& option) {
      return word.substr(0, word.find('=')) == option.substr(0, option.find('?'));
    });
    if (found == options.end()) {
      kept.push_back(word);
    } else if (word.find('=') == std::string::npos) {
      const bool may_lack = found->ends_with('?'), is_last = i + 1 == arguments.size();
      if (!may_lack || (!is_last && (arguments[i + 1] == "-" || !arguments[i + 1].starts_with('-')))) ++i;
    }
  }
  return kept;
}

Result measure_in_turn(const MeasureOptions& options, const ProgressCallback& on_progress) {
  const std::vector<std::string> arguments = without_options(own_arguments(), kOwn);
  const std::vector<std::string> theirs = arguments_of_baseline(arguments, options.against);
  const std::string program = is_program_of_its_own(options.against) ? options.against : kSelf;
  std::optional<Result> all;
  std::size_t rounds = std::max(options.rounds, 1U);
  for (std::size_t round = 0; round < rounds; ++round) {
    if (on_progress) on_progress({"rounds, this program and the baseline in turn", round, rounds});
    Result mine = run_once(kSelf, arguments);
    const Result other = run_once(program, theirs);
    if (!all) all = emptied(mine, options.against);
    if (round == 0 && options.rounds == 0) rounds = pairs_needed(mine.measurements.size());
    add_round(*all, mine, other);
    all->stages = std::move(mine.stages);
    all->series = std::move(mine.series);
  }
  return std::move(*all);
}

void set_beside(Result& result, const std::string& file) {
  const Result other = read_result(file);
  std::size_t found = 0;
  for (Measurement& each : result.measurements) {
    const Measurement* const old = find(other, each);
    if (old == nullptr) continue;
    each.baseline = Baseline{file, Baseline::Taken::before, old->samples};
    ++found;
  }
  if (found == 0)
    throw invalid_input("{}: a result of '{}' with none of the measurements of '{}'", file, other.command,
                        result.command);
}

Against kind_of(const std::string& against) {
  if (against == "self") return Against::program;
  if (against.starts_with("unix:")) return Against::daemon;
  std::ifstream file(against, std::ios::binary);
  if (!file && is_address(against)) return Against::daemon;
  if (!file || fs::is_directory(against)) throw Error(Code::not_found, fmt::format("{}: no such file", against));
  if (const int first = file.get(); first == '{' || first == '[') return Against::file;
  if (::access(against.c_str(), X_OK) == 0) return Against::program;
  throw invalid_input("{}: expected a result in JSON, a program that may be run, or a daemon's address", against);
}

}  // namespace cuzk::measure

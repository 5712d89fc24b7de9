/// Other programs as a test sees them: started with arguments, their output in files, ended when the test forgets to.
#pragma once

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

namespace cuzk::test {

inline std::string text_of(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

/// A folder of its own that goes with the test.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = std::filesystem::temp_directory_path() / "cuzk_test_XXXXXX";
    path_ = ::mkdtemp(pattern.data());
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  std::string string() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

class Process {
 public:
  /// out, err: files for its standard output and error.
  Process(const std::vector<std::string>& command, const std::filesystem::path& out, const std::filesystem::path& err)
      : id_(::fork()) {
    if (id_ != 0) return;
    redirect(out, STDOUT_FILENO);
    redirect(err, STDERR_FILENO);
    std::vector<char*> arguments;
    for (const auto& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    ::execv(arguments[0], arguments.data());
    ::_exit(127);
  }
  ~Process() {
    if (!status_) {
      signal(SIGKILL);
      wait();
    }
  }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  void signal(int number) const { ::kill(id_, number); }

  /// Its exit status; 128 and the signal's number when one ended it.
  int wait() {
    int status = 0;
    if (!status_ && ::waitpid(id_, &status, 0) == id_) remember(status);
    return *status_;
  }

  bool runs() {
    int status = 0;
    if (!status_ && ::waitpid(id_, &status, WNOHANG) == id_) remember(status);
    return !status_;
  }

 private:
  static void redirect(const std::filesystem::path& file, int descriptor) {
    const int opened = ::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    ::dup2(opened, descriptor);
  }
  void remember(int status) { status_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status); }

  pid_t id_;
  std::optional<int> status_;
};

/// What a finished program left.
struct Outcome {
  int status;
  std::string out, err;
};

inline Outcome run(const std::vector<std::string>& command) {
  const TemporaryFolder folder;
  const auto out = folder / "out", err = folder / "err";
  const int status = Process(command, out, err).wait();
  return {status, text_of(out), text_of(err)};
}

}  // namespace cuzk::test

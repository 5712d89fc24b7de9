/// Ends a process that works a journal, again and again, and looks at what the next one finds.
///
/// The process is this program, started anew for one test that nobody else runs. It writes what it is about to do and what
/// it was told is done into a protocol, which outlives it as all that was handed to the kernel does.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/wait.h>

#include <atomic>
#include <deque>
#include <fstream>
#include <map>
#include <set>
#include <thread>

#include "base/failpoint.h"
#include "engine/journal/journal.h"
#include "engine/journal_fixture.h"

namespace cuzk::engine {
namespace {

constexpr const char* kHome = "CUZK_CRASH_HOME";
constexpr const char* kRound = "CUZK_CRASH_ROUND";
constexpr const char* kPlace = "CUZK_CRASH_PLACE";
constexpr const char* kSkip = "CUZK_CRASH_SKIP";
constexpr const char* kListener = "CUZK_CRASH_LISTENER";

const JournalLimits kLimits{.inline_input = 3000};

/// Some inputs are blobs, some are files.
std::size_t size_of(u64 number) { return number % 5 == 0 ? 20'000 : number % 5 == 1 ? 2900 : 500; }

u64 number_of(const JobId& id) { return std::stoull(id, nullptr, 16); }

enum class Event : char { accepting = 'A', accepted = 'a', ending = 'E', ended = 'e', forgetting = 'F' };

/// Lines of an event and a number; a line is there whole or not at all. Each is told to the one who will end the process.
class Protocol {
 public:
  Protocol(const std::filesystem::path& path, int listener)
      : descriptor_(open(path.c_str(), O_CREAT | O_WRONLY | O_APPEND | O_CLOEXEC, 0600)), listener_(listener) {}
  ~Protocol() { close(descriptor_); }
  Protocol(const Protocol&) = delete;
  Protocol& operator=(const Protocol&) = delete;

  void write(Event event, u64 number) const {
    const auto line = fmt::format("{}{:020}\n", static_cast<char>(event), number);
    if (::write(descriptor_, line.data(), line.size()) != static_cast<ssize_t>(line.size())) std::_Exit(3);
    if (::write(listener_, line.data(), 1) != 1) std::_Exit(3);
  }

 private:
  int descriptor_, listener_;
};

/// One thread of the process that will be ended.
class Worker {
 public:
  Worker(Journal& journal, const Protocol& protocol, std::atomic<u64>& next, u64 seed)
      : journal_(journal), protocol_(protocol), next_(next), random_(seed) {}

  void adopt_unfinished(u64 number) { unfinished_.push_back(number); }
  void adopt_finished(u64 number) { finished_.push_back(number); }

  [[noreturn]] void work() {
    while (true) {
      const auto choice = random_() % 10;
      if (choice < 4) accept_one();
      if (choice >= 4 && choice < 8) end_one();
      if (choice >= 8) forget_one();
    }
  }

 private:
  void accept_one() {
    const u64 number = next_++;
    protocol_.write(Event::accepting, number);
    accept(journal_, number, size_of(number));
    protocol_.write(Event::accepted, number);
    if (number % 2 == 0) journal_.started(job_id(number));
    unfinished_.push_back(number);
  }

  void end_one() {
    if (unfinished_.empty()) return;
    const u64 number = unfinished_.front();
    unfinished_.pop_front();
    protocol_.write(Event::ending, number);
    journal_.ended(job_id(number), result_of(number));
    protocol_.write(Event::ended, number);
    finished_.push_back(number);
  }

  void forget_one() {
    if (finished_.empty()) return;
    const u64 number = finished_.front();
    finished_.pop_front();
    protocol_.write(Event::forgetting, number);
    journal_.forgotten(job_id(number));
  }

  Journal& journal_;
  const Protocol& protocol_;
  std::atomic<u64>& next_;
  std::mt19937_64 random_;
  std::deque<u64> unfinished_, finished_;
};

u64 number_from_environment(const char* name) { return std::stoull(std::getenv(name)); }

/// The process that will be ended.
TEST(JournalCrashProcess, DISABLED_Process) {
  alarm(60);  // should nobody end it
  const std::filesystem::path home = std::getenv(kHome);
  const u64 round = number_from_environment(kRound);
  if (const char* place = std::getenv(kPlace); *place != '\0') {
    failpoint::arm(place,
                   {.action = failpoint::Action::abort, .skip = static_cast<u32>(number_from_environment(kSkip))});
  }
  const int listener = static_cast<int>(number_from_environment(kListener));
  if (write(listener, "r", 1) != 1) std::_Exit(3);
  Journal journal(home / "journal", kLimits);
  const Protocol protocol(home / "protocol", listener);
  std::atomic<u64> next = round * 1'000'000;
  std::vector<Worker> workers;
  for (u64 i = 0; i < 6; ++i) workers.emplace_back(journal, protocol, next, round * 100 + i);
  const auto found = journal.recover();
  std::size_t turn = 0;
  for (const auto& job : found.unfinished) workers[turn++ % workers.size()].adopt_unfinished(number_of(job.record.id));
  for (const auto& job : found.finished) workers[turn++ % workers.size()].adopt_finished(number_of(job.record.id));
  std::vector<std::thread> threads;
  for (auto& worker : workers) threads.emplace_back([&] { worker.work(); });
  for (auto& thread : threads) thread.join();
}

/// What the protocol says about a job.
struct Known {
  bool is_accepted = false, is_ending = false, is_ended = false, is_forgetting = false;
};

class JournalCrash : public testing::Test {
 protected:
  JournalCrash() : home_(make_home()) {}
  ~JournalCrash() override { std::filesystem::remove_all(home_); }

  struct Process {
    pid_t id;
    int events;  ///< a byte when it is about to open the journal and for each line of the protocol
  };

  Process start(u64 round, const std::string& place = "", u32 skip = 0) {
    int ends[2];
    if (pipe(ends) != 0) throw internal_error("no pipe");
    const std::vector<std::string> settings{fmt::format("{}={}", kHome, home_.string()),
                                            fmt::format("{}={}", kRound, round), fmt::format("{}={}", kPlace, place),
                                            fmt::format("{}={}", kSkip, skip),
                                            fmt::format("{}={}", kListener, ends[1])};
    std::vector<char*> environment;
    for (char** entry = environ; *entry != nullptr; ++entry) environment.push_back(*entry);
    for (const auto& setting : settings) environment.push_back(const_cast<char*>(setting.c_str()));
    environment.push_back(nullptr);
    const char* arguments[] = {"journal_crash", "--gtest_filter=JournalCrashProcess.DISABLED_Process",
                               "--gtest_also_run_disabled_tests", "--gtest_brief=1", nullptr};
    const pid_t process = fork();
    if (process == 0) {
      execve("/proc/self/exe", const_cast<char**>(arguments), environment.data());
      std::_Exit(4);
    }
    close(ends[1]);
    return {process, ends[0]};
  }

  /// Returns after so many events of the process, or at its end.
  static void wait_for_events(const Process& process, u64 count) {
    char event = 0;
    while (count-- != 0 && read(process.events, &event, 1) == 1) {
    }
  }

  static int wait_for_end(const Process& process) {
    wait_for_events(process, UINT64_MAX);
    close(process.events);
    int status = 0;
    EXPECT_EQ(waitpid(process.id, &status, 0), process.id);
    return status;
  }

  /// Everything that was acknowledged is there, nothing is there twice, inputs and results are as they were given.
  void check() {
    read_protocol();
    Journal journal(home_ / "journal", kLimits);
    const auto found = journal.recover();
    EXPECT_FALSE(found.set_aside.has_value());
    std::map<u64, Known> present;
    std::size_t files = 0;
    for (const auto& job : found.unfinished) {
      const u64 number = number_of(job.record.id);
      const auto input = input_of(number, size_of(number));
      expect_equal(job.record, record_of(number, input));
      expect_equal(journal.input(job.record.id), input);
      EXPECT_TRUE(known_.contains(number)) << number << " came from nowhere";
      EXPECT_FALSE(known_[number].is_ended) << number << " ended, and would be proved again";
      EXPECT_TRUE(present.insert({number, Known{.is_accepted = true}}).second) << number << " is there twice";
      if (job.record.input_bytes > kLimits.inline_input) ++files;
    }
    for (const auto& job : found.finished) {
      const u64 number = number_of(job.record.id);
      expect_equal(job.record, record_of(number, input_of(number, size_of(number))));
      expect_equal(job.result, result_of(number));
      EXPECT_TRUE(known_[number].is_ending) << number << " ended by itself";
      EXPECT_TRUE(present.insert({number, Known{true, true, true}}).second) << number << " is there twice";
    }
    for (const auto& [number, known] : known_) {
      const bool may_be_gone = !known.is_accepted || known.is_forgetting;
      EXPECT_TRUE(may_be_gone || present.contains(number)) << number << " is lost";
    }
    EXPECT_EQ(files_of_inputs(), files);
    known_ = std::move(present);
  }

  std::size_t jobs_seen() const { return jobs_seen_; }

  std::mt19937_64 random_{20'260'131};

 private:
  std::size_t files_of_inputs() const {
    const std::filesystem::directory_iterator files(home_ / "journal" / "inputs");
    return static_cast<std::size_t>(std::distance(begin(files), end(files)));
  }

  void read_protocol() {
    std::ifstream protocol(home_ / "protocol");
    protocol.seekg(position_);
    for (std::string line; std::getline(protocol, line); position_ += static_cast<std::streamoff>(line.size() + 1)) {
      Known& known = known_[std::stoull(line.substr(1))];
      switch (static_cast<Event>(line.front())) {
        case Event::accepting: ++jobs_seen_; break;
        case Event::accepted: known.is_accepted = true; break;
        case Event::ending: known.is_ending = true; break;
        case Event::ended: known.is_ended = true; break;
        case Event::forgetting: known.is_forgetting = true; break;
      }
    }
  }

  std::filesystem::path home_;
  std::map<u64, Known> known_;
  std::streamoff position_ = 0;
  std::size_t jobs_seen_ = 0;
};

/// The thread sanitizer makes a process start twenty times as slow, and its own findings do not depend on the moment.
#ifdef __SANITIZE_THREAD__
constexpr u64 kRounds = 20;
#else
constexpr u64 kRounds = 200;
#endif

TEST_F(JournalCrash, NothingAcknowledgedIsLostAtRandomMoments) {
  for (u64 round = 1; round <= kRounds && !HasFailure(); ++round) {
    const Process process = start(round);
    wait_for_events(process, 1 + random_() % 60);
    const auto moment = Clock::now() + std::chrono::microseconds(random_() % 500);
    while (Clock::now() < moment) {
    }
    kill(process.id, SIGKILL);
    const int status = wait_for_end(process);
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) << "round " << round << ": status " << status;
    check();
  }
  EXPECT_GT(jobs_seen(), kRounds);
}

#ifdef CUZK_FAILPOINTS
TEST_F(JournalCrash, NothingAcknowledgedIsLostBetweenAnyTwoSteps) {
  u64 round = 1;
  for (const char* place :
       {"journal.input.write", "journal.input.flush", "journal.input.name", "journal.input.named",
        "journal.input.remove", "journal.begin", "journal.apply", "journal.commit", "journal.acknowledge"}) {
    for (int i = 0; i < 3 && !HasFailure(); ++i) {
      const Process process = start(round++, place, static_cast<u32>(random_() % 12));
      const int status = wait_for_end(process);
      EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 134) << place << ": status " << status;
      check();
    }
  }
  for (const char* place : {"journal.open", "journal.recover"}) {
    const int status = wait_for_end(start(round++, place));
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 134) << place << ": status " << status;
    check();
  }
}
#endif

}  // namespace
}  // namespace cuzk::engine

// The journal on a machine that loses its power: what was not flushed is dropped or torn, and all that was acknowledged
// must be there nevertheless, also where the power goes again while the next process recovers.
#include <gmock/gmock.h>

#include <atomic>
#include <cstdlib>
#include <deque>
#include <map>
#include <mutex>
#include <random>
#include <thread>

#include "engine/journal/journal.h"
#include "engine/journal_fixture.h"
#include "power_loss/disk_model.h"
#include "power_loss/recorded_calls.h"

namespace cuzk::engine {
namespace {

using test::DiskModel;
using test::FileCall;

const JournalLimits kLimits{.inline_input = 3000, .reserve = 64 * 1024};

/// Some inputs are blobs, some are files.
std::size_t size_of(u64 number) { return number % 5 == 0 ? 20'000 : number % 5 == 1 ? 2900 : 500; }

u64 number_of(const JobId& id) { return std::stoull(id, nullptr, 16); }

/// At which moment of the record a job had come how far; SIZE_MAX: never.
struct Moments {
  std::size_t accepting = SIZE_MAX, accepted = SIZE_MAX, ending = SIZE_MAX, ended = SIZE_MAX, forgetting = SIZE_MAX;
};

/// What several threads did to a journal while its directory was recorded.
class History {
 public:
  void mark(u64 number, std::size_t Moments::*event) {
    const std::lock_guard lock(mutex_);
    jobs_[number].*event = test::recorded_calls();
  }
  const std::map<u64, Moments>& jobs() const { return jobs_; }

 private:
  std::mutex mutex_;
  std::map<u64, Moments> jobs_;
};

void accept_and_mark(Journal& journal, History& history, u64 number) {
  history.mark(number, &Moments::accepting);
  accept(journal, number, size_of(number));
  history.mark(number, &Moments::accepted);
  if (number % 2 == 0) journal.started(job_id(number));
}

void end_and_mark(Journal& journal, History& history, u64 number) {
  history.mark(number, &Moments::ending);
  journal.ended(job_id(number), result_of(number));
  history.mark(number, &Moments::ended);
}

void forget_and_mark(Journal& journal, History& history, u64 number) {
  history.mark(number, &Moments::forgetting);
  journal.forgotten(job_id(number));
}

/// A thread's share: jobs are accepted, most of them end, some are forgotten.
void work(Journal& journal, History& history, u64 first, u64 count) {
  for (u64 number = first; number < first + count; ++number) {
    accept_and_mark(journal, history, number);
    if (number >= first + 2) end_and_mark(journal, history, number - 2);
    if (number >= first + 6 && number % 3 == 0) forget_and_mark(journal, history, number - 6);
  }
}

class PowerLoss : public testing::Test {
 protected:
  PowerLoss() : home_(make_home()) {}
  ~PowerLoss() override { std::filesystem::remove_all(home_); }

  /// CUZK_POWER_LOSSES, else `usual`.
  static u64 losses(u64 usual) {
    const char* text = std::getenv("CUZK_POWER_LOSSES");
    return text == nullptr ? usual : std::stoull(text);
  }

  /// Sessions one after another, each with threads; between them the journal is closed, which empties its log.
  std::vector<FileCall> record(u64 sessions, History& history) const {
    const auto directory = home_ / "recorded";
    std::filesystem::create_directory(directory);
    test::start_recording(directory);
    for (u64 session = 0; session < sessions; ++session) {
      Journal journal(directory / "journal", kLimits);
      journal.recover();
      std::vector<std::jthread> threads;
      for (u64 i = 0; i < 3; ++i)
        threads.emplace_back([&, i] { work(journal, history, session * 1000 + i * 100 + 1, 12); });
    }
    return test::stop_recording();
  }

  /// The journal that is left has all that had been acknowledged at the moment, each once and as it was.
  static void check(const std::filesystem::path& directory, const History& history, std::size_t moment) {
    Journal journal(directory / "journal", kLimits);
    const auto found = journal.recover();
    EXPECT_FALSE(found.set_aside.has_value()) << "a lost write has damaged the database";
    std::map<u64, bool> has_ended;
    for (const auto& job : found.unfinished) {
      const u64 number = number_of(job.record.id);
      expect_equal(journal.input(job.record.id), input_of(number, size_of(number)));
      EXPECT_TRUE(has_ended.insert({number, false}).second) << number << " is there twice";
    }
    for (const auto& job : found.finished) {
      const u64 number = number_of(job.record.id);
      expect_equal(job.result, result_of(number));
      EXPECT_TRUE(has_ended.insert({number, true}).second) << number << " is there twice";
    }
    for (const auto& [number, job] : history.jobs()) {
      const auto there = has_ended.find(number);
      if (there == has_ended.end()) {
        EXPECT_TRUE(job.accepted > moment || job.forgetting <= moment) << number << " is lost";
        continue;
      }
      EXPECT_LE(job.accepting, moment) << number << " came from nowhere";
      if (there->second) {
        EXPECT_LE(job.ending, moment) << number << " ended by itself";
      } else {
        EXPECT_GT(job.ended, moment) << number << " ended, and would be proved again";
      }
    }
  }

  /// Opens what is left while that is recorded, loses the power again at any moment of it, and gives what is left then.
  std::filesystem::path lose_again(const std::filesystem::path& directory) {
    test::start_recording(directory);
    Journal(directory / "journal", kLimits).recover();
    const auto calls = test::stop_recording();
    DiskModel disk;
    std::size_t first = 0;  // past what the record begins with
    while (calls[first].kind != FileCall::Kind::flush_names || !calls[first].name.empty()) ++first;
    const std::size_t moment = first + 1 + random_() % (calls.size() - first);
    for (std::size_t i = 0; i < moment; ++i) disk.apply(calls[i]);
    disk.write_remains(home_ / "again", any_loss(), random_);
    return home_ / "again";
  }

  DiskModel::Loss any_loss() { return static_cast<DiskModel::Loss>(random_() % 4); }

  std::filesystem::path home_;
  std::mt19937_64 random_{20'261'130};
};

TEST_F(PowerLoss, NothingAcknowledgedIsLostOrTorn) {
  History history;
  const auto calls = record(4, history);
  const u64 count = losses(400);
  std::vector<std::size_t> moments(count);
  for (auto& moment : moments) moment = random_() % (calls.size() + 1);
  std::sort(moments.begin(), moments.end());
  DiskModel disk;
  std::size_t applied = 0, unflushed = 0;
  for (const auto moment : moments) {
    for (; applied < moment; ++applied) disk.apply(calls[applied]);
    unflushed += disk.unflushed();
    auto left = home_ / "left";
    disk.write_remains(left, any_loss(), random_);
    if (random_() % 4 == 0) left = lose_again(left);
    check(left, history, moment);
    std::filesystem::remove_all(home_ / "left");
    std::filesystem::remove_all(home_ / "again");
    ASSERT_FALSE(HasFailure()) << "power lost after call " << moment << " of " << calls.size();
  }
  EXPECT_GT(unflushed, count) << "there was something to lose";
}

/// The model can show a loss: without a single flush nothing of the journal may be there.
TEST_F(PowerLoss, WithoutFlushesTheModelLosesEverything) {
  History history;
  DiskModel disk;
  for (const auto& call : record(1, history)) {
    if (call.kind != FileCall::Kind::flush && call.kind != FileCall::Kind::flush_names) disk.apply(call);
  }
  disk.write_remains(home_ / "left", DiskModel::Loss::all, random_);
  EXPECT_TRUE(std::filesystem::is_empty(home_ / "left"));
}

}  // namespace
}  // namespace cuzk::engine

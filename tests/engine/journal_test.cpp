#include "engine/journal/journal.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <atomic>
#include <future>
#include <thread>

#include "engine/journal_fixture.h"

namespace cuzk::engine {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

mode_t mode_of(const std::filesystem::path& path) {
  struct stat found {};
  EXPECT_EQ(stat(path.c_str(), &found), 0) << path;
  return found.st_mode & 0777;
}

TEST_F(JournalTest, IsEmptyAtFirst) {
  Journal journal(directory_);
  const auto found = journal.recover();
  EXPECT_THAT(found.unfinished, IsEmpty());
  EXPECT_THAT(found.finished, IsEmpty());
  EXPECT_FALSE(found.set_aside.has_value());
}

TEST_F(JournalTest, KeepsEveryFieldOfAJobAndOfItsInput) {
  {
    Journal journal(directory_);
    for (u64 number = 0; number < 8; ++number) accept(journal, number, number < 4 ? 1000 : kLarge);
  }
  Journal journal(directory_);
  const auto found = journal.recover();
  ASSERT_THAT(found.unfinished, SizeIs(8));
  for (u64 number = 0; number < 8; ++number) {
    const auto& job = found.unfinished[number];
    const auto input = input_of(number, number < 4 ? 1000 : kLarge);
    expect_equal(job.record, record_of(number, input));
    expect_equal(journal.input(job.record.id), input);
    EXPECT_EQ(job.state, JobState::queued);
    EXPECT_EQ(job.starts, 0u);
  }
}

TEST_F(JournalTest, KeepsAnInputOfNothing) {
  JobRecord record = record_of(1, ProofInput{});
  {
    Journal journal(directory_, {.inline_input = 0});
    journal.accepted(record, ProofInput{});
  }
  Journal journal(directory_);
  expect_equal(journal.input(record.id), ProofInput{});
}

TEST_F(JournalTest, KeepsARequestIdOfAnyBytes) {
  auto record = record_of(1, ProofInput{});
  record.request_id = std::string("a\0b\xff'; DROP TABLE jobs; --", 26);
  {
    Journal journal(directory_);
    journal.accepted(record, ProofInput{});
  }
  EXPECT_EQ(Journal(directory_).recover().unfinished.at(0).record.request_id, record.request_id);
}

TEST_F(JournalTest, KeepsEveryFieldOfAResult) {
  {
    Journal journal(directory_);
    for (u64 number = 0; number < 6; ++number) accept(journal, number, kLarge);
    for (u64 number = 0; number < 6; ++number) journal.ended(job_id(number), result_of(number));
  }
  const auto found = Journal(directory_).recover();
  EXPECT_THAT(found.unfinished, IsEmpty());
  ASSERT_THAT(found.finished, SizeIs(6));
  for (u64 number = 0; number < 6; ++number) {
    const auto& job = found.finished[number];
    expect_equal(job.record, record_of(number, input_of(number, kLarge)));
    expect_equal(job.result, result_of(number));
    EXPECT_GT(job.ended, job.record.accepted);
  }
}

TEST_F(JournalTest, KnowsWhatRanAndHowOftenItWasBegun) {
  {
    Journal journal(directory_);
    for (u64 number = 0; number < 3; ++number) accept(journal, number);
    journal.started(job_id(1));
    journal.started(job_id(2));
    journal.ended(job_id(2), result_of(2));
  }
  {
    Journal journal(directory_);
    journal.started(job_id(1));
  }
  const auto found = Journal(directory_).recover();
  ASSERT_THAT(found.unfinished, SizeIs(2));
  EXPECT_EQ(found.unfinished[0].state, JobState::queued);
  EXPECT_EQ(found.unfinished[1].state, JobState::running);
  EXPECT_EQ(found.unfinished[1].starts, 2u);
  EXPECT_THAT(found.finished, SizeIs(1));
}

TEST_F(JournalTest, KeepsARaisedPriority) {
  {
    Journal journal(directory_);
    accept(journal, 4);
    journal.raised(job_id(4), Priority::critical);
  }
  EXPECT_EQ(Journal(directory_).recover().unfinished.at(0).record.priority, Priority::critical);
}

TEST_F(JournalTest, ForgetsAJobInAnyState) {
  {
    Journal journal(directory_);
    accept(journal, 1, kLarge);
    accept(journal, 2);
    journal.ended(job_id(2), result_of(2));
    for (u64 number = 1; number < 4; ++number) journal.forgotten(job_id(number));
    journal.flush();
    EXPECT_EQ(journal.usage().jobs, 0u);
    EXPECT_EQ(journal.usage().bytes, 0u);
  }
  const auto found = Journal(directory_).recover();
  EXPECT_THAT(found.unfinished, IsEmpty());
  EXPECT_THAT(found.finished, IsEmpty());
  EXPECT_EQ(files_of_inputs(), 0u);
}

TEST_F(JournalTest, IsItsOwnersAlone) {
  Journal journal(directory_);
  accept(journal, 1, kLarge);
  EXPECT_EQ(mode_of(directory_), 0700u);
  EXPECT_EQ(mode_of(directory_ / "inputs"), 0700u);
  EXPECT_EQ(mode_of(directory_ / "inputs" / job_id(1)), 0600u);
  EXPECT_EQ(mode_of(directory_ / "journal.db"), 0600u);
  EXPECT_EQ(mode_of(directory_ / "journal.db-wal"), 0600u);
  EXPECT_EQ(mode_of(directory_ / "lock"), 0600u);
}

TEST_F(JournalTest, WritesOnlyLargeInputsIntoFilesAndRemovesThemAtTheEnd) {
  Journal journal(directory_);
  accept(journal, 1, 1000);
  EXPECT_EQ(files_of_inputs(), 0u);
  accept(journal, 2, kLarge);
  EXPECT_EQ(files_of_inputs(), 1u);
  journal.ended(job_id(1), result_of(1));
  journal.ended(job_id(2), result_of(2));
  journal.flush();
  EXPECT_EQ(files_of_inputs(), 0u);
  EXPECT_EQ(error_of([&] { journal.input(job_id(1)); }).first, Code::not_found);
}

TEST_F(JournalTest, RefusesWhatTheCallerHasWrong) {
  Journal journal(directory_);
  accept(journal, 1, kLarge);
  EXPECT_EQ(error_of([&] { accept(journal, 1, kLarge); }).first, Code::internal);
  expect_equal(journal.input(job_id(1)), input_of(1, kLarge));  // the first one's file is still there
  accept(journal, 2);
  EXPECT_EQ(error_of([&] { accept(journal, 2); }).first, Code::internal);
  EXPECT_EQ(error_of([&] { journal.ended(job_id(3), result_of(3)); }).first, Code::not_found);
  journal.ended(job_id(1), result_of(1));
  EXPECT_EQ(error_of([&] { journal.ended(job_id(1), result_of(1)); }).first, Code::not_found);
  auto record = record_of(1, ProofInput{});
  for (const char* id : {"", "../lock", "a/b", "a.partial"}) {
    record.id = id;
    EXPECT_EQ(error_of([&] { journal.accepted(record, ProofInput{}); }).first, Code::invalid_input);
  }
  EXPECT_EQ(journal.usage().jobs, 2u);
}

TEST_F(JournalTest, OneFaultyChangeLeavesTheOthersOfItsGroupAlone) {
  Journal journal(directory_);
  accept(journal, 1);
  std::promise<void> all_given;
  journal.ended(job_id(1), result_of(1), [&](std::exception_ptr) { all_given.get_future().wait(); });
  std::atomic<int> written = 0, failed = 0;
  const Done count = [&](const std::exception_ptr& error) { error == nullptr ? ++written : ++failed; };
  for (const u64 number : {2, 3, 3, 4}) {
    const auto input = input_of(number);
    journal.accepted(record_of(number, input), input, count);
  }
  all_given.set_value();
  journal.flush();
  EXPECT_EQ(written, 3);
  EXPECT_EQ(failed, 1);
  EXPECT_THAT(journal.recover().unfinished, SizeIs(3));
}

TEST_F(JournalTest, AThousandChangesAtOnceTakeOneTransaction) {
  Journal journal(directory_);
  accept(journal, 0);
  std::promise<void> all_given;
  journal.ended(job_id(0), result_of(0), [&](std::exception_ptr) { all_given.get_future().wait(); });
  std::atomic<int> written = 0;
  for (u64 number = 1; number <= 1000; ++number) {
    const auto input = input_of(number);
    journal.accepted(record_of(number, input), input, [&](const std::exception_ptr& error) {
      if (error == nullptr) ++written;
    });
  }
  const auto before = journal.counts();
  all_given.set_value();
  journal.flush();
  EXPECT_EQ(written, 1000);
  EXPECT_LE(journal.counts().transactions - before.transactions, 3u);
  EXPECT_THAT(journal.recover().unfinished, SizeIs(1000));
}

TEST_F(JournalTest, ServesManyThreads) {
  {
    Journal journal(directory_);
    std::vector<std::jthread> threads;
    for (u64 thread = 0; thread < 16; ++thread) {
      threads.emplace_back([&, thread] {
        for (u64 i = 0; i < 10; ++i) {
          const u64 number = thread * 10 + i;
          accept(journal, number, i == 0 ? kLarge : 1000);
          journal.started(job_id(number));
          if (i % 2 == 0) journal.ended(job_id(number), result_of(number));
        }
      });
    }
    threads.clear();
    EXPECT_LT(journal.counts().transactions, journal.counts().changes);
  }
  const auto found = Journal(directory_).recover();
  EXPECT_THAT(found.unfinished, SizeIs(80));
  EXPECT_THAT(found.finished, SizeIs(80));
}

TEST_F(JournalTest, RefusesMoreJobsThanItsLimit) {
  Journal journal(directory_, {.jobs = 2});
  accept(journal, 1);
  accept(journal, 2);
  journal.ended(job_id(1), result_of(1));
  const auto [code, message] = error_of([&] { accept(journal, 3); });
  EXPECT_EQ(code, Code::resource_exhausted);
  EXPECT_THAT(message, HasSubstr("2 jobs of 2"));
  journal.forgotten(job_id(1));
  journal.flush();
  EXPECT_NO_THROW(accept(journal, 3));
}

TEST_F(JournalTest, RefusesMoreBytesThanItsLimit) {
  Journal journal(directory_, {.bytes = 500'000});
  accept(journal, 1, kLarge);
  const auto [code, message] = error_of([&] { accept(journal, 2, kLarge); });
  EXPECT_EQ(code, Code::resource_exhausted);
  EXPECT_THAT(message, HasSubstr("bytes of 500000"));
  EXPECT_EQ(files_of_inputs(), 1u);
  journal.ended(job_id(1), result_of(1));
  EXPECT_NO_THROW(accept(journal, 2, kLarge));
}

TEST_F(JournalTest, CountsWhatItHoldsTheSameAfterAStart) {
  JobTable::Usage before;
  {
    Journal journal(directory_);
    for (u64 number = 0; number < 4; ++number) accept(journal, number, kLarge);
    journal.ended(job_id(1), result_of(1));
    before = journal.usage();
  }
  const auto after = Journal(directory_).usage();
  EXPECT_EQ(after.jobs, before.jobs);
  EXPECT_EQ(after.bytes, before.bytes);
  EXPECT_GT(after.bytes, 3 * kLarge);
}

}  // namespace
}  // namespace cuzk::engine

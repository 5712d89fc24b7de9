/// What a journal does with files that are torn, missing, damaged, somebody else's, or cannot be written.
#include <gmock/gmock.h>
#include <signal.h>
#include <spdlog/sinks/ostream_sink.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <chrono>
#include <fstream>
#include <sstream>
#include <thread>

#include "base/failpoint.h"
#include "base/log.h"
#include "engine/journal/journal.h"
#include "engine/journal/schema.h"
#include "engine/journal_fixture.h"
#include "support/fail_each_pass.h"

namespace cuzk::engine {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

void overwrite(const std::filesystem::path& path, std::streamoff offset, const std::string& bytes) {
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(offset);
  file << bytes;
  ASSERT_TRUE(file.good()) << path;
}

/// Collects what the engine logs as long as it lives. No other thread may log at its beginning and its end.
class LogText {
 public:
  LogText() : level_(log().level()) {
    log().sinks().swap(sinks_);
    log().set_level(spdlog::level::trace);
  }
  ~LogText() {
    log().sinks().swap(sinks_);
    log().set_level(level_);
  }
  std::string text() const { return text_.str(); }

 private:
  static spdlog::logger& log() { return logger(LogModule::engine); }

  std::ostringstream text_;
  std::vector<spdlog::sink_ptr> sinks_{std::make_shared<spdlog::sinks::ostream_sink_mt>(text_)};
  spdlog::level::level_enum level_;
};

class JournalRecovery : public JournalTest {
 protected:
  std::filesystem::path database() const { return directory_ / "journal.db"; }
  std::filesystem::path input_file(u64 number) const { return directory_ / "inputs" / job_id(number); }

  void fill(u64 jobs, std::size_t bytes = 1000) {
    Journal journal(directory_);
    for (u64 number = 0; number < jobs; ++number) accept(journal, number, bytes);
  }

  void change_database(const std::string& sql) { Database(database()).execute(sql); }

  /// Until nothing of it is left: its file goes after the commit that flush() waits for.
  void forget(Journal& journal, u64 number) {
    journal.forgotten(job_id(number));
    journal.flush();
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (std::filesystem::exists(input_file(number)) && std::chrono::steady_clock::now() < end)
      std::this_thread::yield();
    EXPECT_FALSE(std::filesystem::exists(input_file(number)));
  }
};

TEST_F(JournalRecovery, TellsOfAnInputThatIsTornChangedOrGone) {
  fill(3, kLarge);
  std::filesystem::resize_file(input_file(0), kLarge / 2);
  overwrite(input_file(1), kLarge / 2, "x\x01y");
  std::filesystem::remove(input_file(2));
  Journal journal(directory_);
  EXPECT_THAT(journal.recover().unfinished, SizeIs(3));
  EXPECT_EQ(error_of([&] { journal.input(job_id(0)); }).first, Code::invalid_input);
  const auto [code, message] = error_of([&] { journal.input(job_id(1)); });
  EXPECT_EQ(code, Code::invalid_input);
  EXPECT_THAT(message, AllOf(HasSubstr(job_id(1)), HasSubstr("damaged")));
  EXPECT_EQ(error_of([&] { journal.input(job_id(2)); }).first, Code::not_found);
  for (u64 number = 0; number < 3; ++number) journal.ended(job_id(number), result_of(number));
}

TEST_F(JournalRecovery, TellsOfABlobThatIsNotWhatWasAccepted) {
  fill(2);
  change_database("UPDATE inputs SET encoded = (SELECT encoded FROM inputs WHERE number = 1) WHERE number = 2");
  Journal journal(directory_);
  expect_equal(journal.input(job_id(0)), input_of(0));
  EXPECT_EQ(error_of([&] { journal.input(job_id(1)); }).first, Code::invalid_input);
}

TEST_F(JournalRecovery, RemovesFilesThatNoJobNeeds) {
  fill(1, kLarge);
  for (const char* name : {"0123", "abc.partial"}) std::ofstream(directory_ / "inputs" / name) << "half an input";
  Journal journal(directory_);
  EXPECT_EQ(files_of_inputs(), 1u);
  expect_equal(journal.input(job_id(0)), input_of(0, kLarge));
}

TEST_F(JournalRecovery, LeavesARowThatItCannotReadWhereItIs) {
  fill(2, kLarge);
  change_database("UPDATE jobs SET kind = 'unheard of' WHERE number = 1");
  {
    Journal journal(directory_);
    EXPECT_THAT(journal.recover().unfinished, SizeIs(1));
    EXPECT_EQ(files_of_inputs(), 2u);
  }
  change_database(fmt::format("UPDATE jobs SET kind = '{}' WHERE number = 1", name(input_of(0).kind)));
  Journal journal(directory_);
  EXPECT_THAT(journal.recover().unfinished, SizeIs(2));
  expect_equal(journal.input(job_id(0)), input_of(0, kLarge));
}

TEST_F(JournalRecovery, PutsADamagedDatabaseAside) {
  for (const std::streamoff offset : {0, 5000}) {
    fill(2, kLarge);
    overwrite(database(), offset, std::string(3000, '\x5a'));
    LogText log;
    Journal journal(directory_);
    const auto found = journal.recover();
    EXPECT_THAT(found.unfinished, IsEmpty());
    ASSERT_TRUE(found.set_aside.has_value());
    EXPECT_TRUE(std::filesystem::exists(*found.set_aside));
    EXPECT_TRUE(std::filesystem::exists(found.set_aside->string() + "-inputs/" + job_id(1)));
    EXPECT_THAT(log.text(), AllOf(HasSubstr("damaged"), HasSubstr(found.set_aside->string())));
    for (u64 number = 0; number < 2; ++number) accept(journal, number, kLarge);
    for (u64 number = 0; number < 2; ++number) journal.forgotten(job_id(number));
  }
}

TEST_F(JournalRecovery, PutsATruncatedDatabaseAside) {
  fill(20, 10'000);
  std::filesystem::resize_file(database(), 3 * 4096 + 17);
  Journal journal(directory_);
  EXPECT_TRUE(journal.recover().set_aside.has_value());
}

TEST_F(JournalRecovery, RefusesADirectoryThatIsInUse) {
  const Journal first(directory_);
  const auto [code, message] = error_of([&] { Journal second(directory_); });
  EXPECT_EQ(code, Code::unavailable);
  EXPECT_THAT(message, AllOf(HasSubstr(directory_.string()), HasSubstr(std::to_string(getpid()))));
}

TEST_F(JournalRecovery, RefusesTheTablesOfANewerProgram) {
  fill(1);
  change_database("PRAGMA user_version = 99");
  const auto [code, message] = error_of([&] { Journal journal(directory_); });
  EXPECT_EQ(code, Code::unavailable);
  EXPECT_THAT(message, AllOf(HasSubstr("version 99"), HasSubstr("newer program")));
  change_database(fmt::format("PRAGMA user_version = {}", journal_migrations().size()));
  EXPECT_THAT(Journal(directory_).recover().unfinished, SizeIs(1));
}

TEST_F(JournalRecovery, RefusesADatabaseOfAnotherProgram) {
  std::filesystem::create_directories(directory_);
  make_private_file(database());
  change_database("CREATE TABLE theirs (a)");
  EXPECT_EQ(error_of([&] { Journal journal(directory_); }).first, Code::invalid_input);
}

TEST_F(JournalRecovery, ChangesOlderTablesInOneStepEach) {
  fill(2);
  std::vector<const char*> migrations(journal_migrations().begin(), journal_migrations().end());
  const auto newest = static_cast<i64>(migrations.size());
  migrations.push_back("ALTER TABLE jobs ADD COLUMN note TEXT;");
  migrations.push_back("ALTER TABLE jobs ADD COLUMN other TEXT; ALTER TABLE nowhere ADD COLUMN note TEXT;");
  {
    Database database(this->database());
    EXPECT_THROW(migrate(database, migrations), Error);
  }
  Database database(this->database());
  EXPECT_EQ(database.number("PRAGMA user_version"), newest + 1);
  EXPECT_EQ(database.number("SELECT count(*) FROM pragma_table_info('jobs') WHERE name IN ('note', 'other')"), 1);
  EXPECT_EQ(database.number("SELECT count(*) FROM jobs WHERE note IS NULL"), 2);
}

TEST_F(JournalRecovery, SaysThatADirectoryCannotBeMade) {
  std::ofstream(home_ / "file") << "not a directory";
  const auto [code, message] = error_of([&] { Journal journal(home_ / "file" / "journal"); });
  EXPECT_EQ(code, Code::unavailable);
  EXPECT_THAT(message, HasSubstr((home_ / "file" / "journal").string()));
}

/// As another user for a while, where the test may do that; the system's administrator may write everywhere.
class AsNobody {
 public:
  AsNobody() { is_other_ = geteuid() != 0 || seteuid(65534) == 0; }
  ~AsNobody() {
    if (getuid() == 0 && seteuid(0) != 0) std::abort();
  }
  bool is_other() const { return is_other_; }

 private:
  bool is_other_ = false;
};

TEST_F(JournalRecovery, SaysThatADirectoryCannotBeWritten) {
  using std::filesystem::perms;
  std::filesystem::create_directory(directory_);
  std::filesystem::permissions(directory_, perms(0555));
  std::filesystem::permissions(home_, perms(0755));
  {
    const AsNobody other;
    if (!other.is_other()) GTEST_SKIP() << "may not be another user";
    const auto [code, message] = error_of([&] { Journal journal(directory_); });
    EXPECT_EQ(code, Code::unavailable);
    EXPECT_THAT(message, AllOf(HasSubstr(directory_.string()), HasSubstr("denied"), HasSubstr("must be allowed")));
  }
  std::filesystem::permissions(directory_, perms(0755));
}

/// No file of this process can become larger, as if the disk were full.
class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes) : signal_(signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FullDisk() {
    setrlimit(RLIMIT_FSIZE, &before_);
    signal(SIGXFSZ, signal_);
  }

 private:
  rlimit before_{};
  sighandler_t signal_;
};

TEST_F(JournalRecovery, GoesOnOnceThereIsRoomOnTheDiskAgain) {
  Journal journal(directory_);
  accept(journal, 0);
  {
    const FullDisk full(200'000);
    const auto [code, message] = error_of([&] { accept(journal, 1, kLarge); });
    EXPECT_EQ(code, Code::resource_exhausted);
    EXPECT_THAT(message, AllOf(HasSubstr("inputs"), HasSubstr("make room")));
    EXPECT_EQ(files_of_inputs(), 0u);
    u64 number = 2;
    const auto [code_of_row, message_of_row] = error_of([&] {
      for (; number < 100; ++number) accept(journal, number, 20'000);
    });
    EXPECT_EQ(code_of_row, Code::resource_exhausted) << message_of_row;
    EXPECT_THAT(message_of_row, AllOf(HasSubstr("journal.db"), HasSubstr("make room")));
    EXPECT_EQ(journal.usage().jobs, number - 1);
  }
  accept(journal, 1, kLarge);
  journal.ended(job_id(0), result_of(0));
  EXPECT_THAT(journal.recover().finished, SizeIs(1));
}

TEST_F(JournalRecovery, SaysNothingOfWhatIsSecret) {
  LogText log;
  auto input = input_of(1, kLarge);
  input.randomness = "SECRET OF SECRETS";
  const auto record = record_of(1, input);
  std::string said;
  {
    Journal journal(directory_);
    journal.accepted(record, input);
    said += error_of([&] { journal.accepted(record, input); }).second;
  }
  std::filesystem::resize_file(input_file(1), kLarge);
  Journal journal(directory_);
  said += error_of([&] { journal.input(record.id); }).second;
  EXPECT_THAT(said + log.text(), Not(HasSubstr("SECRET")));
}

#ifdef CUZK_FAILPOINTS
TEST_F(JournalRecovery, LeavesNothingOfAnAcceptanceThatFailsAtAnyStep) {
  Journal journal(directory_);
  for (const char* place : {"journal.input.write", "journal.input.flush", "journal.input.name", "journal.input.named",
                            "journal.begin", "journal.apply", "journal.commit"}) {
    const auto failures = test::fail_each_pass(
        place, Code::resource_exhausted, [&] { accept(journal, 1, kLarge); },
        [&] {
          EXPECT_THAT(journal.recover().unfinished, IsEmpty()) << place;
          EXPECT_EQ(files_of_inputs(), 0u) << place;
          EXPECT_EQ(journal.usage().jobs, 0u) << place;
          EXPECT_EQ(journal.usage().bytes, 0u) << place;
        });
    EXPECT_GE(failures, 1u) << place;
    expect_equal(journal.input(job_id(1)), input_of(1, kLarge));
    forget(journal, 1);
  }
}

/// Of whatever but a full disk: that has room kept for results.
TEST_F(JournalRecovery, LeavesAJobAsItWasWhenItsEndFailsAtAnyStep) {
  Journal journal(directory_);
  for (const char* place : {"journal.begin", "journal.apply", "journal.commit"}) {
    accept(journal, 1, kLarge);
    const auto failures = test::fail_each_pass(
        place, Code::internal, [&] { journal.ended(job_id(1), result_of(1)); },
        [&] { expect_equal(journal.input(job_id(1)), input_of(1, kLarge)); });
    EXPECT_EQ(failures, 1u) << place;
    forget(journal, 1);
    EXPECT_EQ(journal.usage().bytes, 0u) << place;
  }
}

TEST_F(JournalRecovery, PutsADamagedDatabaseAsideAgainAfterAFailure) {
  fill(1, kLarge);
  overwrite(database(), 0, std::string(100, 'x'));
  failpoint::arm("journal.set_aside", {.times = 1});
  EXPECT_THROW(Journal journal(directory_), Error);
  failpoint::disarm_all();
  const auto aside = Journal(directory_).recover().set_aside;
  ASSERT_TRUE(aside.has_value());
  std::size_t inputs = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(directory_)) {
    if (entry.path().filename() == job_id(0)) ++inputs;
  }
  EXPECT_EQ(inputs, 1u);
}

TEST_F(JournalRecovery, AFileThatCannotBeRemovedGoesAtTheNextStart) {
  {
    Journal journal(directory_);
    accept(journal, 1, kLarge);
    failpoint::arm("journal.input.remove", {});
    journal.ended(job_id(1), result_of(1));
    journal.flush();
    failpoint::disarm_all();
    EXPECT_EQ(files_of_inputs(), 1u);
  }
  Journal journal(directory_);
  EXPECT_EQ(files_of_inputs(), 0u);
}
#endif

}  // namespace
}  // namespace cuzk::engine

#include "engine/journal/journal.h"

#include <fmt/chrono.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <future>
#include <utility>

#include "base/failpoint.h"
#include "base/log.h"
#include "base/mapped_file.h"
#include "engine/journal/record_codec.h"
#include "engine/journal/schema.h"

namespace cuzk::engine {
namespace {

constexpr const char* kDatabase = "journal.db";
constexpr const char* kInputs = "inputs";
constexpr const char* kReserve = "reserve";

void check_id(const JobId& id) {
  const auto is_plain = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  };
  if (!id.empty() && id.size() <= 64 && std::all_of(id.begin(), id.end(), is_plain)) return;
  throw invalid_input("journal: '{}' is no id of a job: expected 1 to 64 letters and digits", id);
}

/// Calls `give` with a Done and waits until that is called; throws what it is given.
template <class Give>
void wait_for(const Give& give) {
  const auto promise = std::make_shared<std::promise<void>>();  // shared: the one who sets it may be the last to leave
  give([promise](const std::exception_ptr& error) { error ? promise->set_exception(error) : promise->set_value(); });
  promise->get_future().get();
}

bool is_exhausted(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const Error& reason) {
    return reason.code() == Code::resource_exhausted;
  } catch (...) {
    return false;
  }
}

/// Where a damaged database goes, with its write-ahead log and its inputs.
struct Aside {
  std::filesystem::path database, log, inputs;

  explicit Aside(const std::string& name) : database(name), log(name + "-wal"), inputs(name + "-inputs") {}
  bool is_free() const { return !exists(database) && !exists(log) && !exists(inputs); }
};

/// Names beside the path, with the time in them, that nothing has.
Aside free_names(const std::filesystem::path& path) {
  const auto base = fmt::format("{}.damaged-{:%Y%m%dT%H%M%SZ}", path.string(), fmt::gmtime(std::time(nullptr)));
  Aside names(base);
  for (int number = 2; !names.is_free(); ++number) names = Aside(fmt::format("{}-{}", base, number));
  return names;
}

/// Throws what went wrong with a step on a file, except that the file is not there.
void check_step(int status, const std::filesystem::path& path, std::string_view action) {
  if (status != 0 && errno != ENOENT) throw file_error(path, action, errno);
}

}  // namespace

/// Room for one job within the limits, given back unless the job gets into the database.
class Journal::Reservation {
 public:
  Reservation(Journal& journal, u64 bytes) : journal_(journal), bytes_(bytes) {
    const auto& limits = journal.limits_;
    const std::lock_guard lock(journal.usage_mutex_);
    auto& used = journal.usage_;
    if (used.jobs >= limits.jobs || bytes > limits.bytes || used.bytes > limits.bytes - bytes) {
      throw Error(Code::resource_exhausted,
                  fmt::format("{}: full: holds {} jobs of {} and {} bytes of {}; one more with {} bytes does not fit",
                              journal.directory_.string(), used.jobs, limits.jobs, used.bytes, limits.bytes, bytes));
    }
    ++used.jobs;
    used.bytes += bytes;
  }
  ~Reservation() {
    if (!kept_) journal_.release({1, bytes_});
  }
  Reservation(const Reservation&) = delete;
  Reservation& operator=(const Reservation&) = delete;

  void keep() { kept_ = true; }

 private:
  Journal& journal_;
  u64 bytes_;
  bool kept_ = false;
};

/// An input's file, removed unless its job gets into the database.
class Journal::StoredFile {
 public:
  StoredFile(const InputFiles& files, JobId id, std::span<const std::span<const u8>> pieces)
      : files_(files), id_(std::move(id)) {
    files_.write(id_, pieces);
  }
  ~StoredFile() {
    if (!kept_) files_.remove(id_);
  }
  StoredFile(const StoredFile&) = delete;
  StoredFile& operator=(const StoredFile&) = delete;

  void keep() { kept_ = true; }

 private:
  const InputFiles& files_;
  JobId id_;
  bool kept_ = false;
};

Journal::Journal(std::filesystem::path directory, JournalLimits limits)
    : directory_(std::move(directory)),
      limits_(limits),
      home_(directory_),
      lock_(directory_),
      database_(open_or_set_aside()),
      table_(*database_),
      files_(directory_ / kInputs),
      reserve_(directory_ / kReserve, limits.reserve),
      usage_(table_.usage()) {
  remove_orphans();
  queue_ = std::make_unique<CommitQueue>(*database_, database_mutex_, limits_.group);
}

Journal::~Journal() = default;

std::unique_ptr<Database> Journal::open_database() {
  CUZK_FAILPOINT("journal.open");
  const auto path = directory_ / kDatabase;
  make_private_file(path);
  flush_directory(directory_);
  auto database = std::make_unique<Database>(path);
  database->check();
  migrate(*database, journal_migrations());
  return database;
}

std::unique_ptr<Database> Journal::open_or_set_aside() {
  try {
    return open_database();
  } catch (const DamagedDatabase& error) {
    logger(LogModule::engine).error("journal: {}", error.what());
  }
  set_aside();
  return open_database();
}

/// In an order in which a crash loses nothing: as long as the database has its name, the next start does all of this
/// again; once it has not, SQLite throws away a log without its database and orphans are removed, and both are elsewhere.
void Journal::set_aside() {
  const auto path = directory_ / kDatabase;
  const auto log = path.string() + "-wal";
  const auto inputs = directory_ / kInputs;
  const auto names = free_names(path);
  check_step(link(log.c_str(), names.log.c_str()), log, "link");
  check_step(rename(inputs.c_str(), names.inputs.c_str()), inputs, "rename");
  CUZK_FAILPOINT("journal.set_aside");
  check_step(rename(path.c_str(), names.database.c_str()), path, "rename");
  check_step(unlink(log.c_str()), log, "remove");
  flush_directory(directory_);
  set_aside_ = names.database;
  logger(LogModule::engine)
      .error(
          "journal: the damaged database and its inputs lie at {} now and a new journal is begun; jobs in it do not "
          "run "
          "again and must be asked for anew (`sqlite3 {} .recover` shows what can be read)",
          names.database.string(), names.database.string());
}

void Journal::remove_orphans() {
  const auto unfinished = table_.unfinished_ids();
  const auto removed = files_.remove_others([&](const JobId& id) { return unfinished.contains(id); });
  if (removed != 0) logger(LogModule::engine).info("journal: removed {} files of inputs that no job needs", removed);
}

Recovery Journal::recover() {
  CUZK_FAILPOINT("journal.recover");
  const std::lock_guard lock(database_mutex_);
  return {table_.unfinished(), table_.finished(), set_aside_};
}

ProofInput Journal::input(const JobId& id) const {
  check_id(id);
  const auto stored = [&] {
    const std::lock_guard lock(database_mutex_);
    return table_.input(id);
  }();
  const auto source = fmt::format("{}: input of job {}", directory_.string(), id);
  ProofInput input = stored.bytes ? decode_input(stored.record.kind, *stored.bytes, source)
                                  : decode_input(stored.record.kind, files_.read(id).span(), source);
  if (digest(input) != stored.record.digest) {
    throw invalid_input("{}: damaged: it does not have the digest that it had when it was accepted", source);
  }
  return input;
}

void Journal::accepted(const JobRecord& job, const ProofInput& input) {
  wait_for([&](Done done) { accepted(job, input, std::move(done)); });
}

void Journal::accepted(const JobRecord& job, const ProofInput& input, Done done) {
  check_id(job.id);
  if (!reserve_.restore()) {
    throw Error(Code::resource_exhausted,
                fmt::format("{}: the disk is full: there is no room for results; make some", directory_.string()));
  }
  const auto encoded = encode_input(input);
  JobRecord record = job;
  record.kind = input.kind;
  record.input_bytes = encoded.bytes;
  auto room = std::make_shared<Reservation>(*this, encoded.bytes);
  std::shared_ptr<StoredFile> file;
  std::vector<u8> bytes;
  if (encoded.bytes > limits_.inline_input) {
    file = std::make_shared<StoredFile>(files_, job.id, encoded.pieces);
  } else {
    for (const auto& piece : encoded.pieces) bytes.insert(bytes.end(), piece.begin(), piece.end());
  }
  const bool is_inline = file == nullptr;
  auto apply = [this, record = std::move(record), bytes = std::move(bytes), is_inline] {
    table_.insert(record, is_inline ? std::optional(std::span(bytes)) : std::nullopt);
  };
  // What a failure gives back is there again before anyone is told of it.
  auto finish = [room = std::move(room), file = std::move(file),
                 done = std::move(done)](const std::exception_ptr& error) mutable {
    if (error == nullptr) room->keep();
    if (error == nullptr && file != nullptr) file->keep();
    room.reset();
    file.reset();
    done(error);
  };
  queue_->push({std::move(apply), std::move(finish), {}});
}

void Journal::ended(const JobId& id, const JobResult& result) {
  wait_for([&](Done done) { ended(id, result, std::move(done)); });
}

void Journal::ended(const JobId& id, JobResult result, Done done) {
  check_id(id);
  push_end(id, std::make_shared<const JobResult>(std::move(result)), std::move(done), 1);
}

/// A result that the full disk does not take gets the room that is kept for it.
void Journal::push_end(const JobId& id, const std::shared_ptr<const JobResult>& result, Done done, unsigned attempts) {
  const auto released = std::make_shared<std::optional<u64>>();
  auto apply = [this, id, result, released] {
    *released = table_.end(id, *result, std::chrono::system_clock::now()).bytes;
  };
  auto finish = [this, id, result, released, attempts, done = std::move(done)](const std::exception_ptr& error) {
    if (error != nullptr) {
      released->reset();
      if (attempts == 0 || !is_exhausted(error)) return done(error);
      reserve_.release();
      return push_end(id, result, done, attempts - 1);
    }
    {
      const std::lock_guard lock(usage_mutex_);
      usage_.bytes += bytes_of(*result) - **released;
    }
    done(nullptr);
  };
  auto clean_up = [this, id, released] {
    if (*released) files_.remove(id);
  };
  queue_->push({std::move(apply), std::move(finish), std::move(clean_up)});
}

void Journal::started(const JobId& id) {
  push_unwaited("start", id, [this, id] { table_.start(id); });
}

void Journal::raised(const JobId& id, Priority priority) {
  push_unwaited("priority", id, [this, id, priority] { table_.raise(id, priority); });
}

void Journal::forgotten(const JobId& id) {
  check_id(id);
  const auto removed = std::make_shared<std::optional<JobTable::Released>>();
  auto apply = [this, id, removed] { *removed = table_.remove(id); };
  auto finish = [this, id, removed](const std::exception_ptr& error) {
    if (error != nullptr) removed->reset();
    if (*removed) release({1, (*removed)->bytes});
  };
  auto clean_up = [this, id, removed] {
    if (*removed && !(*removed)->was_finished) files_.remove(id);
  };
  queue_->push({std::move(apply), std::move(finish), std::move(clean_up)});
}

void Journal::push_unwaited(std::string_view what, const JobId& id, std::function<void()> apply) {
  auto finish = [what, id](const std::exception_ptr& error) {
    if (error == nullptr) return;
    try {
      std::rethrow_exception(error);
    } catch (const std::exception& reason) {
      logger(LogModule::engine).warn("journal: the {} of job {} is not recorded: {}", what, id, reason.what());
    }
  };
  queue_->push({std::move(apply), std::move(finish), {}});
}

void Journal::release(const JobTable::Usage& usage) {
  const std::lock_guard lock(usage_mutex_);
  usage_.jobs -= usage.jobs;
  usage_.bytes -= usage.bytes;
}

JobTable::Usage Journal::usage() const {
  const std::lock_guard lock(usage_mutex_);
  return usage_;
}

}  // namespace cuzk::engine

#include "engine/journal/schema.h"

#include <array>

namespace cuzk::engine {
namespace {

/// Jobs, in the order of their acceptance. Inputs and results stand apart: SQLite writes a row anew, blobs included, when
/// one of its columns changes. Kinds, states and codes are written by their names. Times are nanoseconds since 1970.
constexpr const char* kVersion1 = R"(
CREATE TABLE jobs (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  request_id TEXT NOT NULL,
  digest BLOB NOT NULL CHECK (length(digest) = 32),
  kind TEXT NOT NULL,
  priority INTEGER NOT NULL CHECK (priority BETWEEN 0 AND 3),
  deadline INTEGER,
  accepted INTEGER NOT NULL,
  state TEXT NOT NULL,
  starts INTEGER NOT NULL DEFAULT 0,
  ended INTEGER,
  bytes INTEGER NOT NULL
) STRICT;
CREATE INDEX jobs_unfinished ON jobs (number) WHERE ended IS NULL;
CREATE TABLE inputs (
  number INTEGER PRIMARY KEY REFERENCES jobs,
  encoded BLOB NOT NULL
) STRICT;
CREATE TABLE results (
  number INTEGER PRIMARY KEY REFERENCES jobs,
  proof BLOB NOT NULL,
  code TEXT NOT NULL,
  message TEXT NOT NULL,
  queued_ms INTEGER NOT NULL,
  key_load_ms INTEGER NOT NULL,
  synthesis_ms INTEGER NOT NULL,
  device_ms INTEGER NOT NULL,
  total_ms INTEGER NOT NULL,
  stages BLOB NOT NULL
) STRICT;
)";

constexpr std::array<const char*, 1> kMigrations{kVersion1};

constexpr i64 kApplication = 0x63757a6b;  // "cuzk"

/// A database without tables is nobody's yet.
void check_owner(Database& database) {
  const i64 application = database.number("PRAGMA application_id");
  if (application == kApplication || database.number("SELECT count(*) FROM sqlite_schema") == 0) return;
  throw invalid_input("{}: a database of another program (application id {:#x}, expected {:#x})",
                      database.path().string(), application, kApplication);
}

}  // namespace

std::span<const char* const> journal_migrations() { return kMigrations; }

void migrate(Database& database, std::span<const char* const> migrations) {
  check_owner(database);
  const auto newest = static_cast<i64>(migrations.size());
  const i64 found = database.number("PRAGMA user_version");
  if (found < 0 || found > newest) {
    throw Error(Code::unavailable,
                fmt::format("{}: has version {} of the journal's tables, this program knows versions up to {}; run the "
                            "newer program, or give this one another directory",
                            database.path().string(), found, newest));
  }
  for (i64 version = found; version < newest; ++version) {
    database.execute(fmt::format("BEGIN IMMEDIATE; {} PRAGMA application_id = {}; PRAGMA user_version = {}; COMMIT;",
                                 migrations[static_cast<std::size_t>(version)], kApplication, version + 1));
  }
}

}  // namespace cuzk::engine

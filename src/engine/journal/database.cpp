#include "engine/journal/database.h"

#include <sqlite3.h>

#include <cerrno>
#include <system_error>

#include "base/failpoint.h"

namespace cuzk::engine {
namespace {

/// A refused write counts as one for want of space: SQLite keeps the system's reason only at times.
bool is_out_of_space(int status, int reason) {
  return (status & 0xff) == SQLITE_FULL || status == SQLITE_IOERR_WRITE || reason == ENOSPC || reason == EDQUOT ||
         reason == EFBIG;
}

Code code_of(int status, int reason) {
  if (is_out_of_space(status, reason)) return Code::resource_exhausted;
  switch (status & 0xff) {
    case SQLITE_CANTOPEN:
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_BUSY:
    case SQLITE_IOERR: return Code::unavailable;
    default: return Code::internal;
  }
}

/// What to do about it, as the end of a message.
std::string_view advice(int status, int reason) {
  if (is_out_of_space(status, reason)) return "; make room on its disk (where there is some, look at its health)";
  switch (status & 0xff) {
    case SQLITE_CANTOPEN:
    case SQLITE_READONLY:
    case SQLITE_PERM: return "; the user of this process must be allowed to read and write it";
    case SQLITE_BUSY: return "; another program has it open";
    default: return "";
  }
}

/// How a commit survives a loss of power and nobody else gets in between. A checkpoint every 16 MiB of the write-ahead
/// log: the default of 4 MiB stops the writer four times as often for the same bytes.
constexpr const char* kSettings =
    "PRAGMA locking_mode = EXCLUSIVE;"
    "PRAGMA journal_mode = WAL;"
    "PRAGMA synchronous = FULL;"
    "PRAGMA wal_autocheckpoint = 4096;"
    "PRAGMA journal_size_limit = 67108864;"
    "PRAGMA secure_delete = FAST;"
    "PRAGMA cell_size_check = ON;"
    "PRAGMA trusted_schema = OFF;";

/// Milliseconds for which another program, such as one that shows the tables, may be in the way.
constexpr int kPatience = 5000;

}  // namespace

Database::Database(std::filesystem::path path) : path_(std::move(path)) {
  const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
  try {
    CUZK_FAILPOINT("sqlite.open");
    if (sqlite3_open_v2(path_.c_str(), &handle_, flags, nullptr) != SQLITE_OK) fail("open");
    sqlite3_busy_timeout(handle_, kPatience);
    execute(kSettings);
  } catch (...) {
    sqlite3_close(handle_);
    throw;
  }
}

Database::~Database() { sqlite3_close(handle_); }

void Database::execute(const std::string& sql) {
  CUZK_FAILPOINT("sqlite.execute");
  if (sqlite3_exec(handle_, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) fail("write");
}

i64 Database::number(std::string_view sql) {
  SqlStatement statement(*this, sql);
  auto rows = statement.query();
  return rows.next() ? rows.integer(0) : 0;
}

void Database::check() {
  SqlStatement statement(*this, "PRAGMA quick_check(1)");
  auto rows = statement.query();
  if (!rows.next()) return;
  if (const auto found = rows.text(0); found != "ok") {
    throw DamagedDatabase(Code::internal, fmt::format("{}: damaged: {}", path_.string(), found));
  }
}

void Database::roll_back() noexcept {
  if (sqlite3_get_autocommit(handle_) == 0) sqlite3_exec(handle_, "ROLLBACK", nullptr, nullptr, nullptr);
}

void Database::fail(std::string_view action) const {
  const int status = handle_ == nullptr ? SQLITE_NOMEM : sqlite3_extended_errcode(handle_);
  const int kind = status & 0xff;
  const bool io = kind == SQLITE_IOERR || kind == SQLITE_CANTOPEN || kind == SQLITE_FULL;
  const int reason = io ? sqlite3_system_errno(handle_) : 0;
  const auto message =
      fmt::format("{}: cannot {}: {} (SQLite {}){}{}{}", path_.string(), action,
                  handle_ == nullptr ? "out of memory" : sqlite3_errmsg(handle_), status, reason == 0 ? "" : ": ",
                  reason == 0 ? "" : std::generic_category().message(reason), advice(status, reason));
  if (kind == SQLITE_CORRUPT || kind == SQLITE_NOTADB) throw DamagedDatabase(Code::internal, message);
  throw Error(code_of(status, reason), message);
}

SqlStatement::SqlStatement(Database& database, std::string_view sql) : database_(database) {
  check(sqlite3_prepare_v3(database.handle_, sql.data(), static_cast<int>(sql.size()), SQLITE_PREPARE_PERSISTENT,
                           &handle_, nullptr),
        "read");
}

SqlStatement::~SqlStatement() { sqlite3_finalize(handle_); }

void SqlStatement::check(int status, std::string_view action) const {
  if (status != SQLITE_OK) database_.fail(action);
}

void SqlStatement::bind(int place, i64 value) { check(sqlite3_bind_int64(handle_, place, value), "bind"); }

void SqlStatement::bind(int place, std::optional<i64> value) {
  if (value) return bind(place, *value);
  check(sqlite3_bind_null(handle_, place), "bind");
}

void SqlStatement::bind(int place, std::string_view text) {
  const char* begin = text.data() == nullptr ? "" : text.data();  // a null pointer would bind NULL
  check(sqlite3_bind_text64(handle_, place, begin, text.size(), SQLITE_STATIC, SQLITE_UTF8), "bind");
}

void SqlStatement::bind(int place, std::span<const u8> blob) {
  if (blob.empty()) return check(sqlite3_bind_zeroblob(handle_, place, 0), "bind");
  check(sqlite3_bind_blob64(handle_, place, blob.data(), blob.size(), SQLITE_STATIC), "bind");
}

SqlStatement::Rows::~Rows() {
  sqlite3_reset(statement_.handle_);
  sqlite3_clear_bindings(statement_.handle_);
}

bool SqlStatement::Rows::next() {
  CUZK_FAILPOINT("sqlite.step");
  const int status = sqlite3_step(statement_.handle_);
  if (status == SQLITE_ROW) return true;
  if (status != SQLITE_DONE) statement_.database_.fail(sqlite3_stmt_readonly(statement_.handle_) ? "read" : "write");
  return false;
}

std::optional<i64> SqlStatement::Rows::integer_or_null(int column) const {
  if (sqlite3_column_type(statement_.handle_, column) == SQLITE_NULL) return std::nullopt;
  return integer(column);
}

i64 SqlStatement::Rows::integer(int column) const { return sqlite3_column_int64(statement_.handle_, column); }

std::string SqlStatement::Rows::text(int column) const {
  const auto* begin = reinterpret_cast<const char*>(sqlite3_column_text(statement_.handle_, column));
  return std::string(begin == nullptr ? "" : begin,
                     static_cast<std::size_t>(sqlite3_column_bytes(statement_.handle_, column)));
}

std::span<const u8> SqlStatement::Rows::blob(int column) const {
  const auto* begin = static_cast<const u8*>(sqlite3_column_blob(statement_.handle_, column));
  return {begin, static_cast<std::size_t>(sqlite3_column_bytes(statement_.handle_, column))};
}

}  // namespace cuzk::engine

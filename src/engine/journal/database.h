/// As much of SQLite as the journal needs: one connection, prepared statements, errors as cuzk::Error.
///
/// Threads: one at a time; the caller guards a database and its statements together.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/types.h"

struct sqlite3;
struct sqlite3_stmt;

namespace cuzk::engine {

/// The file holds something that SQLite does not understand.
class DamagedDatabase : public Error {
 public:
  using Error::Error;
};

class Database {
 public:
  /// Opens an existing file for this process alone, in WAL mode, every commit forced to the disk. Throws
  /// DamagedDatabase, or Error: resource_exhausted (the disk is full), unavailable (it cannot be read or written),
  /// naming the file and what SQLite says.
  explicit Database(std::filesystem::path path);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  const std::filesystem::path& path() const { return path_; }

  /// Runs statements that give no rows.
  void execute(const std::string& sql);

  /// The first column of the only row of a query.
  i64 number(std::string_view sql);

  /// Reads the whole file; throws DamagedDatabase naming the first fault.
  void check();

  /// Undoes the transaction that is under way; nothing where none is.
  void roll_back() noexcept;

 private:
  friend class SqlStatement;
  [[noreturn]] void fail(std::string_view action) const;

  std::filesystem::path path_;
  sqlite3* handle_ = nullptr;
};

/// A prepared statement, executed any number of times. It must not outlive its database.
class SqlStatement {
 public:
  SqlStatement(Database& database, std::string_view sql);
  ~SqlStatement();
  SqlStatement(const SqlStatement&) = delete;
  SqlStatement& operator=(const SqlStatement&) = delete;

  /// One execution; its end makes the statement ready for the next. Columns count from 0.
  class Rows {
   public:
    explicit Rows(SqlStatement& statement) : statement_(statement) {}
    ~Rows();
    Rows(const Rows&) = delete;
    Rows& operator=(const Rows&) = delete;

    bool next();  ///< false: there is no further row
    std::optional<i64> integer_or_null(int column) const;
    i64 integer(int column) const;
    std::string text(int column) const;
    std::span<const u8> blob(int column) const;  ///< valid until the next row

   private:
    SqlStatement& statement_;
  };

  /// Binds the values to ?1, ?2 and so on. Text and blobs must stay where they are until the rows end.
  template <class... Values>
  [[nodiscard]] Rows query(const Values&... values) {
    int place = 0;
    (bind(++place, values), ...);
    return Rows(*this);
  }

  /// The same for a statement that gives no rows.
  template <class... Values>
  void execute(const Values&... values) {
    Rows rows = query(values...);
    while (rows.next()) {
    }
  }

 private:
  void bind(int place, i64 value);
  void bind(int place, std::optional<i64> value);
  void bind(int place, std::string_view text);
  void bind(int place, std::span<const u8> blob);
  void check(int status, std::string_view action) const;

  Database& database_;
  sqlite3_stmt* handle_ = nullptr;
};

}  // namespace cuzk::engine

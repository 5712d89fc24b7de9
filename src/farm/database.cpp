#include "farm/database.h"

#include <libpq-fe.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <tuple>

namespace cuzk::farm {

namespace {

/// Where the text says nothing. A connection over which nothing comes back for ten seconds is lost.
const std::map<std::string, std::string> kDefaults{{"connect_timeout", "3"},      {"keepalives_idle", "5"},
                                                   {"keepalives_interval", "2"},  {"keepalives_count", "3"},
                                                   {"tcp_user_timeout", "10000"}, {"application_name", "cuzk"}};

std::string quoted(const std::string& value) {
  std::string text = "'";
  for (const char c : value) {
    if (c == '\'' || c == '\\') text += '\\';
    text += c;
  }
  return text + "'";
}

/// The reason of the server or of the library, on one line and without its place in the source.
std::string first_line(const std::string& text) {
  std::string line = text.substr(0, text.find('\n', text.find_first_not_of('\n')));
  while (!line.empty() && (line.back() == '\n' || line.back() == ' ')) line.pop_back();
  return line;
}

/// Classes of SQLSTATE that say nothing against the statement: connection, resources, an operator's doing, a server
/// that is read-only or starts, conflicts.
bool is_passing(const std::string& state) {
  constexpr std::array kClasses{"08", "25", "40", "53", "55", "57"};
  return std::any_of(kClasses.begin(), kClasses.end(), [&](const char* part) { return state.starts_with(part); });
}

}  // namespace

std::string connection_text(const std::string& postgres) {
  char* why = nullptr;
  const std::unique_ptr<PQconninfoOption, decltype(&PQconninfoFree)> options(PQconninfoParse(postgres.c_str(), &why),
                                                                             PQconninfoFree);
  const std::unique_ptr<char, decltype(&PQfreemem)> owner(why, PQfreemem);
  if (options == nullptr) {
    throw invalid_input(
        "farm.postgres is neither a connection string nor a URI of PostgreSQL, such as \"host=db dbname=cuzk "
        "user=cuzk\" (what it holds is not shown)");
  }
  auto values = kDefaults;
  for (const auto* option = options.get(); option->keyword != nullptr; ++option)
    if (option->val != nullptr) values[option->keyword] = option->val;
  std::string text;
  for (const auto& [key, value] : values) text += key + "=" + quoted(value) + " ";
  return text;
}

void Interruptible::interrupt() noexcept {
  const std::lock_guard lock(mutex_);
  ++interruptions_;
  if (socket_ >= 0) ::shutdown(socket_, SHUT_RDWR);
}

void rethrow_as_error(const pqxx::connection& connection) {
  try {
    throw;
  } catch (const DatabaseUnavailable&) {
    throw;
  } catch (const Error& error) {
    if (error.code() == Code::unavailable) throw DatabaseUnavailable(error.what());
    throw;
  } catch (const pqxx::sql_error& error) {
    if (is_passing(error.sqlstate()) || !connection.is_open()) throw DatabaseUnavailable(first_line(error.what()));
    throw internal_error("the farm's database: {} (SQLSTATE {})", first_line(error.what()), error.sqlstate());
  } catch (const pqxx::failure& error) {
    throw DatabaseUnavailable(first_line(error.what()));
  } catch (const std::exception& error) {
    if (!connection.is_open()) throw DatabaseUnavailable(first_line(error.what()));
    throw internal_error("the farm's database: {}", first_line(error.what()));
  }
}

namespace {

pqxx::connection connect(const std::string& postgres) {
  const auto text = connection_text(postgres);
  try {
    CUZK_FAILPOINT("farm.connect");
    return pqxx::connection(text);
  } catch (const std::exception& error) {
    throw DatabaseUnavailable(first_line(error.what()));
  }
}

}  // namespace

Database::Database(const std::string& postgres, Interruptible& interruptible)
    : connection_(connect(postgres)), breakable_(interruptible, connection_.sock()) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
  connection_.inhibit_reactivation(true);  // what a session has set and prepared would be missing in the next
#pragma GCC diagnostic pop
  guarded([&] {
    CUZK_FAILPOINT("farm.settings");
    pqxx::nontransaction transaction(connection_);
    transaction.exec(
        "set statement_timeout = '60s'; set idle_in_transaction_session_timeout = '60s';"
        "set default_transaction_isolation = 'read committed'; set client_min_messages = error;"
        // A server that promises nothing at a commit would make a lie of every acceptance.
        "select set_config('synchronous_commit', 'on', false) where current_setting('synchronous_commit') = 'off'");
    CUZK_FAILPOINT("farm.settings.answer");
  });
}

std::string Database::prepared(const char* text) {
  for (const auto& [known, name] : statements_)
    if (known == text) return name;
  std::string name = fmt::format("s{}", statements_.size());
  connection_.prepare(name, text);
  statements_.emplace_back(text, name);
  return name;
}

std::string array_text(const std::vector<std::string>& words) {
  std::vector<std::string> items;
  items.reserve(words.size());
  for (const auto& word : words) items.push_back("\"" + word + "\"");
  return fmt::format("{{{}}}", fmt::join(items, ","));
}

std::vector<std::string> words_of(const pqxx::field& array) {
  std::vector<std::string> words;
  if (array.is_null()) return words;
  auto parser = array.as_array();
  for (auto [juncture, text] = parser.get_next(); juncture != pqxx::array_parser::done;
       std::tie(juncture, text) = parser.get_next()) {
    if (juncture == pqxx::array_parser::string_value) words.push_back(text);
  }
  return words;
}

}  // namespace cuzk::farm

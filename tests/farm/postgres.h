/// A PostgreSQL of a test's own: a cluster in a folder that goes with the test, on a unix socket alone.
#pragma once

#include <pwd.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <pqxx/pqxx>
#include <string>
#include <thread>
#include <vector>

#include "apps/process.h"
#include "base/error.h"

namespace cuzk::farm {

/// Where the server's programs are; nothing where there are none.
inline std::optional<std::filesystem::path> postgres_programs() {
  namespace fs = std::filesystem;
  std::vector<fs::path> folders;
  if (const char* given = std::getenv("CUZK_POSTGRES_BIN")) folders.emplace_back(given);
  for (const char* parent : {"/usr/lib/postgresql", "/usr/local/lib/postgresql"}) {
    std::error_code none;
    for (const auto& version : fs::directory_iterator(parent, none)) folders.push_back(version.path() / "bin");
  }
  folders.insert(folders.end(), {"/usr/bin", "/usr/local/bin"});
  for (const auto& folder : folders)
    if (fs::exists(folder / "initdb") && fs::exists(folder / "postgres")) return folder;
  return std::nullopt;
}

class Postgres {
 public:
  /// `settings`: more of the server's, such as "fsync=off".
  explicit Postgres(std::vector<std::string> settings = {"fsync=off"}) : settings_(std::move(settings)) {
    std::filesystem::permissions(folder_.string(), std::filesystem::perms(0755));
    std::filesystem::create_directory(data());
    give_to_server(data());
    const auto made = test::run(as_server(
        {program("initdb"), "-D", data(), "-U", "cuzk", "-A", "trust", "-E", "UTF8", "--no-sync", "--locale=C.UTF-8"}));
    if (made.status != 0) throw internal_error("initdb: {}{}", made.out, made.err);
    start();
  }

  std::string connection() const { return "host=" + folder_.string() + " dbname=postgres user=cuzk"; }

  void start() {
    std::vector<std::string> command{program("postgres"), "-D", data(), "-k", data(), "-c", "listen_addresses="};
    command[4] = folder_.string();
    std::filesystem::permissions(folder_.string(), std::filesystem::perms(0777));  // its socket is made there
    for (const auto& setting : settings_) command.insert(command.end(), {"-c", setting});
    server_ = std::make_unique<test::Process>(as_server(command), folder_ / "out", folder_ / "log");
    for (int i = 0; i < 600 && !answers(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(50));
    if (!answers()) throw internal_error("PostgreSQL does not answer: {}", test::text_of(folder_ / "log"));
  }

  enum class Stop { fast = SIGINT, crash = SIGQUIT };
  void stop(Stop how) {
    server_->signal(static_cast<int>(how));
    server_->wait();
  }

  /// One statement of the test's own.
  pqxx::result run(const std::string& text) const {
    pqxx::connection connection(this->connection());
    return pqxx::nontransaction(connection).exec(text);
  }
  long number(const std::string& text) const { return run(text)[0][0].as<long>(0); }

  ~Postgres() {
    if (server_ == nullptr || !server_->runs()) return;
    stop(Stop::crash);
  }

 private:
  static std::string program(const std::string& name) { return *postgres_programs() / name; }
  std::string data() const { return folder_ / "data"; }

  /// The server refuses to be run by root.
  static const passwd* server_user() {
    if (::geteuid() != 0) return nullptr;
    const passwd* user = ::getpwnam("postgres");
    return user != nullptr ? user : ::getpwnam("nobody");
  }
  static std::vector<std::string> as_server(std::vector<std::string> command) {
    if (const passwd* user = server_user()) {
      const std::vector<std::string> before{"/usr/bin/setpriv",           "--reuid",
                                            std::to_string(user->pw_uid), "--regid",
                                            std::to_string(user->pw_gid), "--clear-groups"};
      command.insert(command.begin(), before.begin(), before.end());
    }
    return command;
  }
  static void give_to_server(const std::string& path) {
    if (const passwd* user = server_user(); user != nullptr && ::chown(path.c_str(), user->pw_uid, user->pw_gid) != 0)
      throw internal_error("cannot give {} to {}", path, user->pw_name);
  }

  bool answers() const {
    try {
      return number("select 1") == 1;
    } catch (const std::exception&) {
      return false;
    }
  }

  test::TemporaryFolder folder_;
  std::vector<std::string> settings_;
  std::unique_ptr<test::Process> server_;
};

}  // namespace cuzk::farm

// What stands for the farm in a program that was built without libpqxx.
#include "base/error.h"
#include "farm/farm.h"

namespace cuzk::farm {

namespace {

[[noreturn]] void refuse() {
  throw Error(
      Code::unavailable,
      "farm.postgres is set, but this program was built without farm support: libpqxx (libpqxx-dev) was not there");
}

}  // namespace

std::unique_ptr<Farm> join_farm(const FarmOptions&, engine::Engine&, const engine::StatementDecoder&) { refuse(); }

std::string check_database(const FarmOptions&) { refuse(); }

FarmView look_at_farm(const FarmOptions&) { refuse(); }

}  // namespace cuzk::farm

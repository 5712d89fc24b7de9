#include "common/checks.h"

#include "base/error.h"
#include "base/log.h"
#include "engine/statements/circuit_catalog.h"

#ifdef CUZK_SERVER
#include "server/config.h"
#endif

namespace cuzk::apps {

namespace {

constexpr const char* kCircuitId = "circuit id";  // common/manual knows it by that name

/// A validator out of a function that throws.
template <class Check>
CLI::Validator validator(Check check) {
  const auto message_of = [check](std::string& text) -> std::string {
    try {
      check(text);
      return "";
    } catch (const Error& error) {
      return error.what();
    }
  };
  return CLI::Validator(message_of, "");
}

std::size_t count_addresses([[maybe_unused]] const std::string& text) {
#ifdef CUZK_SERVER
  return server::parse_addresses(text).size();
#else
  return 1;
#endif
}

}  // namespace

CLI::Validator circuit_id() {
  return validator([](const std::string& text) { engine::check_circuit_id(text); }).name(kCircuitId);
}

CLI::Validator one_address() {
  return validator([](const std::string& text) {
    if (count_addresses(text) != 1) throw invalid_input("address '{}': expected one", text);
  });
}

CLI::Validator addresses() {
  return validator([](const std::string& text) { count_addresses(text); });
}

CLI::Validator log_level_name() {
  return validator([](const std::string& text) { log_level(text); });
}

}  // namespace cuzk::apps

#include "common/toxic_waste.h"

#include <simdjson.h>

#include "base/error.h"
#include "base/hex.h"
#include "common/files.h"
#include "common/scalars.h"

namespace cuzk::apps {

namespace {

Fr read_scalar(simdjson::dom::element document, const char* name, const std::string& path) {
  std::string_view text;
  if (document[name].get(text) != simdjson::SUCCESS) throw invalid_input("{}: there is no string \"{}\"", path, name);
  return parse_scalar(text, path + ": " + name);
}

}  // namespace

groth16::ToxicWaste read_toxic_waste(const std::string& path) {
  const std::string text = read_file(path, 1 << 20);
  simdjson::dom::parser parser;
  simdjson::dom::element document;
  if (const auto error = parser.parse(text).get(document); error != simdjson::SUCCESS) {
    throw invalid_input("{}: is no JSON: {}", path, simdjson::error_message(error));
  }
  const auto scalar = [&](const char* name) { return read_scalar(document, name, path); };
  return {scalar("alpha"), scalar("beta"), scalar("gamma"), scalar("delta"), scalar("tau")};
}

}  // namespace cuzk::apps

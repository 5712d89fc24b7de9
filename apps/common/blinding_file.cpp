#include "common/blinding_file.h"

#ifdef CUZK_INSECURE

#include <simdjson.h>

#include <vector>

#include "base/error.h"
#include "common/files.h"
#include "common/scalars.h"

namespace cuzk::apps {
namespace {

constexpr std::size_t kLargestBlindingFile = std::size_t{1} << 26;

Fr scalar_of(simdjson::dom::element text, const std::string& name) {
  return parse_scalar(std::string_view{text}, name);
}

void read_partition(simdjson::dom::element partition, const std::string& name, KnownBlindings& blindings) {
  std::vector<Fr> inputs;
  for (const auto input : simdjson::dom::array{partition["public_inputs"]})
    inputs.push_back(scalar_of(input, name + " public_inputs"));
  const simdjson::dom::element proof = partition["proofs"].at(0);
  blindings.insert_or_assign(known_by(inputs),
                             KnownBlinding{scalar_of(proof["r"], name + " r"), scalar_of(proof["s"], name + " s")});
}

}  // namespace

std::string known_by(std::span<const Fr> public_inputs) {
  std::string key;
  for (const Fr& input : public_inputs) {
    const auto bytes = input.to_bytes();
    key.insert(key.end(), bytes.begin(), bytes.end());
  }
  return key;
}

void read_blindings(const std::string& path, KnownBlindings& blindings) try {
  simdjson::dom::parser parser;
  const std::string text = read_file(path, kLargestBlindingFile);
  const simdjson::dom::element document = parser.parse(text);
  std::size_t number = 0;
  for (const auto partition : simdjson::dom::array{document["partitions"]})
    read_partition(partition, fmt::format("{}: partition {}", path, number++), blindings);
} catch (const simdjson::simdjson_error& error) {
  throw invalid_input("{}: is no file of proofs: {}", path, error.what());
}

}  // namespace cuzk::apps

#endif

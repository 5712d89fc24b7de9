#include "common/request_file.h"

#include <simdjson.h>

#include "base/error.h"
#include "base/hex.h"
#include "filecoin/base64.h"

namespace cuzk::apps {

namespace {

using engine::ProofInput;
using simdjson::dom::element;

u64 number_of(std::string_view field, const element& value, u64 limit) {
  u64 number = 0;
  if (value.get(number) != simdjson::SUCCESS) throw invalid_input("{}: expected a whole number", field);
  if (number > limit) throw invalid_input("{}: {}, expected at most {}", field, number, limit);
  return number;
}

std::string_view text_of(std::string_view field, const element& value) {
  std::string_view text;
  if (value.get(text) != simdjson::SUCCESS) throw invalid_input("{}: expected a string", field);
  return text;
}

std::string bytes_of_hex(std::string_view field, std::string_view text) {
  try {
    const auto bytes = from_hex(text);
    return {bytes.begin(), bytes.end()};
  } catch (const Error& error) {
    throw invalid_input("{}: {}", field, error.what());
  }
}

std::string bytes_of_base64(std::size_t place, std::string_view text) {
  try {
    const auto bytes = filecoin::decode_base64(text);
    return {bytes.begin(), bytes.end()};
  } catch (const Error& error) {
    throw invalid_input("vanilla_proofs[{}]: {}", place, error.what());
  }
}

std::vector<std::string> proofs_of(const element& value) {
  simdjson::dom::array list;
  if (value.get(list) != simdjson::SUCCESS) throw invalid_input("vanilla_proofs: expected an array of base64 strings");
  std::vector<std::string> proofs;
  for (const element item : list) proofs.push_back(bytes_of_base64(proofs.size(), text_of("vanilla_proofs", item)));
  return proofs;
}

/// "window-post" and "window" alike.
void check_kind(std::string_view found, engine::Kind kind) {
  const std::string_view expected = name(kind);
  if (found == expected || found == expected.substr(0, expected.find('-'))) return;
  throw invalid_input("kind: it is '{}', expected '{}'", found, expected);
}

void take_field(std::string_view field, const element& value, ProofInput& input) {
  const auto hex = [&] { return bytes_of_hex(field, text_of(field, value)); };
  if (field == "kind") return check_kind(text_of(field, value), input.kind);
  if (field == "sector_size")
    input.sector_size = number_of(field, value, UINT64_MAX);
  else if (field == "registered_proof")
    input.registered_proof = number_of(field, value, UINT64_MAX);
  else if (field == "vanilla_proofs")
    input.vanilla_proofs = proofs_of(value);
  else if (field == "randomness")
    input.randomness = hex();
  else if (field == "miner_id")
    input.miner_id = number_of(field, value, UINT64_MAX);
  else if (field == "partition_index")
    input.partition_index = static_cast<u32>(number_of(field, value, UINT32_MAX));
  else if (field == "comm_r_old")
    input.comm_r_old = hex();
  else if (field == "comm_r_new")
    input.comm_r_new = hex();
  else if (field == "comm_d_new")
    input.comm_d_new = hex();
  else if (field == "prover_id")
    hex();  // the miner's number says the same, and no proof here depends on it
  else
    throw invalid_input("there is no field '{}' in a request", field);
}

void take_flags(const RequestFlags& flags, ProofInput& input) {
  if (flags.sector_size) input.sector_size = *flags.sector_size;
  if (flags.registered_proof) input.registered_proof = *flags.registered_proof;
  if (flags.miner_id) input.miner_id = *flags.miner_id;
  if (flags.partition_index) input.partition_index = *flags.partition_index;
  const auto take = [](const char* field, const std::string& text, std::string& into) {
    if (!text.empty()) into = bytes_of_hex(field, text);
  };
  take("--randomness", flags.randomness, input.randomness);
  take("--comm-r-old", flags.comm_r_old, input.comm_r_old);
  take("--comm-r-new", flags.comm_r_new, input.comm_r_new);
  take("--comm-d-new", flags.comm_d_new, input.comm_d_new);
}

/// 0 is a proof's type too, so that a request must say it. An update of sectors whose size the network does not have has
/// no type: its size says all.
void check_type_is_said(bool is_said, const ProofInput& input) {
  const bool size_suffices = input.kind == engine::Kind::snap && input.sector_size != 0;
  if (!is_said && !size_suffices) {
    throw invalid_input("registered_proof is missing: the file must say it, or --registered-proof");
  }
}

}  // namespace

ProofInput parse_request_file(std::string_view text, engine::Kind kind, const RequestFlags& flags) {
  simdjson::dom::parser parser;
  element root;
  if (const auto fault = parser.parse(text.data(), text.size()).get(root); fault != simdjson::SUCCESS)
    throw invalid_input("cannot be read: {}", simdjson::error_message(fault));
  ProofInput input;
  input.kind = kind;
  bool type_is_said = false;
  simdjson::dom::object object;
  if (root.is_array()) {
    input.vanilla_proofs = proofs_of(root);
  } else if (root.get(object) == simdjson::SUCCESS) {
    for (const auto& [field, value] : object) take_field(field, value, input);
    type_is_said = object.at_key("registered_proof").error() == simdjson::SUCCESS;
  } else {
    throw invalid_input("expected an object, or an array of base64 strings");
  }
  take_flags(flags, input);
  check_type_is_said(type_is_said || flags.registered_proof, input);
  return input;
}

}  // namespace cuzk::apps

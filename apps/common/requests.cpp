#include "common/requests.h"

#include <map>

#include "base/error.h"
#include "common/files.h"
#include "engine/statements/kind_decoder.h"
#include "engine/statements/toy_statement.h"

namespace cuzk::apps {

using engine::Kind;

namespace {

/// The C1 output of a non-interactive 32 GiB proof has about 640 MB.
constexpr std::size_t kLargestInput = std::size_t{2} << 30;

}  // namespace

const std::vector<std::string>& kind_words() {
  static const std::vector<std::string> words{"porep", "snap", "window", "winning", "toy"};
  return words;
}

Kind kind_of(const std::string& word) {
  static const std::map<std::string, Kind> kinds{{"porep", Kind::porep},
                                                 {"snap", Kind::snap},
                                                 {"window", Kind::window_post},
                                                 {"winning", Kind::winning_post},
                                                 {"toy", Kind::porep}};
  return kinds.at(word);
}

std::unique_ptr<engine::StatementDecoder> make_decoder(const std::string& word, engine::CircuitCatalog& circuits) {
  if (word == "toy") return std::make_unique<engine::ToyDecoder>(circuits);
  auto decoder = std::make_unique<engine::KindDecoder>(circuits);
  decoder->check_offered(kind_of(word));
  return decoder;
}

engine::ProofInput read_input(const std::string& word, const std::string& path, u64 miner_id) {
  engine::ProofInput input;
  input.kind = kind_of(word);
  input.miner_id = miner_id;
  input.vanilla_proof = read_file(path, kLargestInput);
  return input;
}

std::unique_ptr<engine::Statement> read_statement(const std::string& word, const std::string& path, u64 miner_id,
                                                  engine::CircuitCatalog& circuits) {
  const auto decoder = make_decoder(word, circuits);
  const auto input = read_input(word, path, miner_id);
  try {
    return decoder->decode(input);
  } catch (const Error& error) {
    throw Error(error.code(), path + ": " + error.what());
  }
}

}  // namespace cuzk::apps

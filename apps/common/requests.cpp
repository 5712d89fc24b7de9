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

/// What `work` gives; its errors begin with the file's name.
template <class Work>
auto named(const std::string& path, Work work) {
  try {
    return work();
  } catch (const Error& error) {
    throw Error(error.code(), path + ": " + error.what());
  }
}

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

void add_request_options(CLI::App& command, RequestOptions& options) {
  command
      .add_option("KIND", options.kind,
                  "porep (a C1 JSON file), snap, window, winning (a request file), or toy (x in hex)")
      ->required()
      ->check(CLI::IsMember(kind_words()));
  command.add_option("INPUT", options.input, "the request; - is standard input")->required();
  RequestFlags& flags = options.flags;
  command.add_option("--miner-id", flags.miner_id, "porep: also check that the replica id is this miner's");
  command.add_option("--sector-size", flags.sector_size, "bytes, where the request does not say it");
  command.add_option("--registered-proof", flags.registered_proof, "Filecoin's number of the proof type");
  command.add_option("--partition-index", flags.partition_index, "window: number of the first partition");
  command.add_option("--randomness", flags.randomness, "window, winning: 32 bytes in hex");
  command.add_option("--comm-r-old", flags.comm_r_old, "snap: 32 bytes in hex");
  command.add_option("--comm-r-new", flags.comm_r_new, "snap: 32 bytes in hex");
  command.add_option("--comm-d-new", flags.comm_d_new, "snap: 32 bytes in hex");
}

engine::ProofInput read_input(const RequestOptions& options) {
  std::string text = read_file(options.input, kLargestInput);
  const Kind kind = kind_of(options.kind);
  if (kind != Kind::porep) {
    return named(options.input, [&] { return parse_request_file(text, kind, options.flags); });
  }
  engine::ProofInput input;
  input.kind = kind;
  input.miner_id = options.flags.miner_id.value_or(0);
  input.vanilla_proof = std::move(text);
  return input;
}

std::unique_ptr<engine::Statement> read_statement(const RequestOptions& options, engine::CircuitCatalog& circuits) {
  const auto decoder = make_decoder(options.kind, circuits);
  const auto input = read_input(options);
  return named(options.input, [&] { return decoder->decode(input); });
}

}  // namespace cuzk::apps

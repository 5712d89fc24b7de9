/// KIND and INPUT of the command line, as the engine takes them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/types.h"
#include "engine/statement.h"
#include "engine/statements/circuit_catalog.h"

namespace cuzk::apps {

/// What KIND may be: "porep", "snap", "window", "winning", "toy".
const std::vector<std::string>& kind_words();

/// The word for people who read --help.
inline constexpr const char* kKindHelp = "porep (a C1 JSON file), snap, window, winning, or toy (x in hex)";

/// What --miner-id is for.
inline constexpr const char* kMinerHelp = "also check that the replica id is this miner's";

engine::Kind kind_of(const std::string& word);

/// The catalog must outlive the decoder.
std::unique_ptr<engine::StatementDecoder> make_decoder(const std::string& word, engine::CircuitCatalog& circuits);

/// Reads the input; "-" is standard input. miner_id 0: not known. Throws Error naming the file.
engine::ProofInput read_input(const std::string& word, const std::string& path, u64 miner_id);

/// Both in one: the statement that the input makes. Errors begin with the file's name.
std::unique_ptr<engine::Statement> read_statement(const std::string& word, const std::string& path, u64 miner_id,
                                                  engine::CircuitCatalog& circuits);

}  // namespace cuzk::apps

/// KIND and INPUT of the command line, as the engine takes them.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "base/types.h"
#include "common/request_file.h"
#include "engine/statement.h"
#include "engine/statements/circuit_catalog.h"

namespace cuzk::apps {

/// What KIND may be: "porep", "snap", "window", "winning", "toy".
const std::vector<std::string>& kind_words();

/// What a command is to read: KIND, INPUT, and fields of the request that stand on the command line.
struct RequestOptions {
  std::string kind, input;  ///< a word of kind_words(); a file, "-" is standard input
  RequestFlags flags;
};

/// Adds KIND, INPUT and the flags to a command. The options must outlive it.
void add_request_options(CLI::App& command, RequestOptions& options);

engine::Kind kind_of(const std::string& word);

/// The catalog must outlive the decoder.
std::unique_ptr<engine::StatementDecoder> make_decoder(const std::string& word, engine::CircuitCatalog& circuits);

/// Reads the input. Errors begin with the file's name.
engine::ProofInput read_input(const RequestOptions& options);

/// The statement that the input makes. Errors begin with the file's name.
std::unique_ptr<engine::Statement> read_statement(const RequestOptions& options, engine::CircuitCatalog& circuits);

}  // namespace cuzk::apps

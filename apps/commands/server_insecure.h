/// What tests of the daemon need and a production build (CUZK_INSECURE=OFF) does not have: small requests set times,
/// and proofs that can be compared.
#pragma once

#include <CLI/CLI.hpp>
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "common/lasting_provers.h"
#include "engine/statement.h"
#include "engine/statements/circuit_catalog.h"

namespace cuzk::apps {

struct InsecureServe {
  bool toys = false;                  ///< a PoRep request whose first character is no '{' is one of the toy circuit
  unsigned prove_delay = 0;           ///< milliseconds before each proof
  bool replay = false;                ///< a statement that was proved once gets the same proof again, at no cost
  std::vector<std::string> fixed_rs;  ///< files of statements with the r and s to prove them with
  unsigned processors = 1;            ///< the processor is so many devices, "cpu:0" and on
};

/// Adds hidden options; none in a production build.
void add_insecure_options(CLI::App& command, InsecureServe& options);

/// What it is given, unless the options say more.
std::unique_ptr<engine::StatementDecoder> with_toys(const InsecureServe& options,
                                                    std::unique_ptr<engine::StatementDecoder> decoder,
                                                    engine::CircuitCatalog& circuits);
LastingProvers with_insecurities(const InsecureServe& options, LastingProvers provers);

}  // namespace cuzk::apps

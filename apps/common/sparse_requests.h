/// The sparse sectors of `cuzk sparse` and `cuzk-bench gen-vanilla`: the same size and seed are the same sectors in both.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "filecoin/sealing/sparse_values.h"
#include "filecoin/vanilla_post.h"
#include "filecoin/vanilla_update.h"

namespace cuzk::apps {

struct SparseOrder {
  std::string size;  ///< such as "32g"
  u64 seed = 0;
  u32 sectors = 0;  ///< window: how many; 0: a whole partition
};

/// Adds --size, --seed and --sectors to a command. The order must outlive it.
void add_sparse_options(CLI::App& command, SparseOrder& order);

/// All of these throw UsageError for a size that does not exist, Error{invalid_input} for one without such proofs.
filecoin::VanillaPost sparse_winning(const SparseOrder& order);
filecoin::VanillaPost sparse_window(const SparseOrder& order);
filecoin::VanillaUpdate sparse_snap(const SparseOrder& order);

}  // namespace cuzk::apps

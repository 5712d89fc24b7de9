/// The sectors that `cuzk seal`, `post` and `update` work on: sealed in memory, by the command line alone.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>

#include "filecoin/sealing/sealed_sector.h"

namespace cuzk::apps {

/// What a sector holds: a file's bytes, blocks made of a number, or zeros.
struct PieceOptions {
  std::string file;
  std::optional<u64> counter;
};

struct SealingOptions {
  std::string size = "2k", variant = "v1_1", ticket;
  PieceOptions piece;
  u64 miner_id = 1000, sector_number = 1;
};

/// Adds the options to a command; they must outlive it.
void add_sealing_options(CLI::App& command, SealingOptions& options);

/// The sector size that an option names. Throws UsageError.
const filecoin::SectorShape& shape_option(const std::string& size);

/// Throws Error for a file that cannot be read or does not fit.
std::vector<u8> read_piece(const filecoin::SectorShape& shape, const PieceOptions& options);

/// 32 bytes in hex; where the text is empty, bytes derived from `name` and the number. Throws UsageError naming it.
filecoin::Node node_option(const std::string& name, const std::string& text, u64 number);

/// Seals. The sector's number stands for the one of the options.
std::unique_ptr<filecoin::SealedSector> seal_sector(const SealingOptions& options, u64 sector_number,
                                                    const ProgressCallback& on_progress);

}  // namespace cuzk::apps

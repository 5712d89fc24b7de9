#include "common/sealing_options.h"

#include <algorithm>
#include <map>

#include "base/error.h"
#include "base/hex.h"
#include "common/exit_status.h"
#include "common/files.h"
#include "filecoin/sealing/piece.h"

namespace cuzk::apps {

using filecoin::Node;
using filecoin::SealVariant;

namespace {

const std::map<std::string, SealVariant>& variants() {
  static const std::map<std::string, SealVariant> words{{"v1", SealVariant::v1},
                                                        {"v1_1", SealVariant::v1_1},
                                                        {"synthetic", SealVariant::synthetic},
                                                        {"ni", SealVariant::non_interactive}};
  return words;
}

}  // namespace

void add_sealing_options(CLI::App& command, SealingOptions& options) {
  command.add_option("--size", options.size, "of the sector, such as 2k, 8m, 512m")->capture_default_str();
  command.add_option("--variant", options.variant, "v1, v1_1, synthetic, or ni: non-interactive")
      ->capture_default_str()
      ->check(CLI::IsMember(variants()));
  auto* file = command.add_option("--piece", options.piece.file, "file that the sector holds; without it zeros");
  command.add_option("--counter", options.piece.counter, "hold blocks SHA-256(this number, block number) instead")
      ->excludes(file);
  command.add_option("--miner-id", options.miner_id)->capture_default_str();
  command.add_option("--sector-number", options.sector_number)->capture_default_str();
  command.add_option("--ticket", options.ticket, "32 bytes in hex; without it made of the sector's number");
}

const filecoin::SectorShape& shape_option(const std::string& size) {
  try {
    return filecoin::sector_shape(std::string_view(size));
  } catch (const Error& error) {
    throw UsageError(fmt::format("--size: {}", error.what()));
  }
}

std::vector<u8> read_piece(const filecoin::SectorShape& shape, const PieceOptions& options) {
  if (options.counter) return filecoin::counter_piece(shape, *options.counter);
  if (options.file.empty()) return filecoin::zero_piece(shape);
  const std::string text = read_file(options.file, filecoin::unpadded_bytes(shape));
  return {text.begin(), text.end()};
}

Node node_option(const std::string& name, const std::string& text, u64 number) {
  if (text.empty()) {
    const std::string source = fmt::format("{} of sector {}", name, number);
    return sha256({reinterpret_cast<const u8*>(source.data()), source.size()});
  }
  try {
    const auto bytes = from_hex(text);
    Node node;
    if (bytes.size() != node.size())
      throw UsageError(fmt::format("--{}: {} bytes, expected {}", name, bytes.size(), node.size()));
    std::ranges::copy(bytes, node.begin());
    return node;
  } catch (const Error& error) {
    throw UsageError(fmt::format("--{}: {}", name, error.what()));
  }
}

std::unique_ptr<filecoin::SealedSector> seal_sector(const SealingOptions& options, u64 sector_number,
                                                    const ProgressCallback& on_progress) {
  const auto& shape = shape_option(options.size);
  check_sealable(shape);  // before memory is taken for the piece
  const filecoin::SectorIdentity identity{{variants().at(options.variant), &shape},
                                          options.miner_id,
                                          sector_number,
                                          node_option("ticket", options.ticket, sector_number)};
  return std::make_unique<filecoin::SealedSector>(identity, read_piece(shape, options.piece), ThreadPool::shared(),
                                                  on_progress);
}

}  // namespace cuzk::apps

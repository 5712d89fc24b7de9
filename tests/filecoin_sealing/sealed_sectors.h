/// Sectors of the vectors, sealed again.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "base/hex.h"
#include "filecoin/sealing/piece.h"
#include "filecoin/sealing/sealed_sector.h"
#include "support/vectors.h"

namespace cuzk::filecoin {

inline Node node_of_hex(const nlohmann::json& text) {
  const auto bytes = from_hex(text.get<std::string>());
  Node node{};
  std::copy_n(bytes.begin(), std::min(bytes.size(), node.size()), node.begin());
  return node;
}

/// The piece that a vector describes.
inline std::vector<u8> piece_of(const SectorShape& shape, const nlohmann::json& piece) {
  const auto& data = piece.at("data");
  return data.at("rule") == "zero" ? zero_piece(shape) : counter_piece(shape, data.at("tag").get<u64>());
}

/// Such as "2KiB/s1-v1"; sealed once and kept until the program ends.
inline const SealedSector& sealed_sector(const std::string& folder) {
  static std::map<std::string, std::unique_ptr<SealedSector>> sectors;
  auto& sector = sectors[folder];
  if (sector == nullptr) {
    const auto& item = test::vector_json("sectors/" + folder + "/sector.json");
    const SealProof proof = SealProof::from_name(item.at("registered_proof").get<std::string>());
    const SectorIdentity identity{proof, item.at("miner_id"), item.at("sector_number"), node_of_hex(item.at("ticket"))};
    sector = std::make_unique<SealedSector>(identity, piece_of(*proof.shape, item.at("piece")), ThreadPool::shared());
  }
  return *sector;
}

inline std::string hex_of(const Fr& element) { return to_hex(element.to_bytes()); }

inline std::span<const u8> bytes_of(const std::string& text) {
  return {reinterpret_cast<const u8*>(text.data()), text.size()};
}

}  // namespace cuzk::filecoin

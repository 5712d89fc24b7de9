/// The circuits by id ("porep-32g"), and what Filecoin calls their parameters.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "filecoin/sector_shape.h"

namespace cuzk::filecoin {

enum class CircuitKind : u8 {
  porep,    ///< one partition of a seal proof, of whatever variant
  snap,     ///< one partition of a sector update
  wpost,    ///< one partition of WindowPoSt
  winning,  ///< WinningPoSt
};

/// Such as "porep".
std::string_view name(CircuitKind kind);

struct CircuitName {
  CircuitKind kind;
  const SectorShape* shape;  ///< never null

  /// Reads an id; "window-" is taken for "wpost-". Throws Error{invalid_input} naming what is unknown in it.
  static CircuitName from_id(std::string_view id);

  /// Such as "porep-2k".
  std::string id() const;

  /// The text that Filecoin describes the parameters by; its digest is in the file's name.
  std::string identifier() const;

  /// "v28-...-<sha256 of identifier()>", without a suffix.
  std::string file_stem() const;
  std::string params_file() const { return file_stem() + ".params"; }
  std::string vk_file() const { return file_stem() + ".vk"; }
};

/// Every circuit that exists.
std::vector<CircuitName> all_circuits();

}  // namespace cuzk::filecoin

/// The data that development sectors are filled with.
#pragma once

#include <vector>

#include "base/types.h"
#include "filecoin/sector_shape.h"

namespace cuzk::filecoin {

/// Bytes of data that a sector holds before fr32: 127 of 128.
u64 unpadded_bytes(const SectorShape& shape);

/// One piece of zeros that fills the sector.
std::vector<u8> zero_piece(const SectorShape& shape);

/// One piece that fills the sector: block k of 32 bytes is SHA-256(tag, little-endian u64 || k, little-endian u64).
std::vector<u8> counter_piece(const SectorShape& shape, u64 tag);

}  // namespace cuzk::filecoin

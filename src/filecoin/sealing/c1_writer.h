/// Writes the body of a PoRep request, as commit phase 1 of a sealing pipeline makes it: the counterpart of
/// filecoin/c1_decoder.h.
#pragma once

#include <string>

#include "base/progress.h"
#include "base/thread_pool.h"
#include "filecoin/sealing/porep_sector.h"

namespace cuzk::filecoin {

/// Phase1Out itself: the vanilla proofs of all partitions, byte for byte as the network's implementation writes them.
std::string phase1_json(const PorepSector& sector, const Node& seed, ThreadPool& pool,
                        const ProgressCallback& on_progress = {});

/// {"SectorNum", "Phase1Out" in base64, "SectorSize"}.
std::string c1_json(const PorepSector& sector, const Node& seed, ThreadPool& pool,
                    const ProgressCallback& on_progress = {});

}  // namespace cuzk::filecoin

/// Sparse sectors for sector updates (see sparse_values.h).
#pragma once

#include "filecoin/sealing/sparse_values.h"
#include "filecoin/vanilla_update.h"

namespace cuzk::filecoin {

/// All nodes of a part of the sector (those whose numbers have the same h high bits) are equal; so the challenges,
/// which depend on the new replica, may be any. Filled: neither the old replica nor the data is zero; zero: both are.
/// Throws Error{invalid_input} for a size that has no updates.
VanillaUpdate sparse_update(const SectorShape& shape, std::string_view seed_text, SparseData data, ThreadPool& pool);

}  // namespace cuzk::filecoin

/// Sparse sectors for proofs of spacetime (see sparse_values.h).
#pragma once

#include "filecoin/sealing/sparse_values.h"
#include "filecoin/vanilla_post.h"

namespace cuzk::filecoin {

/// Sector i has the number kSparseSector + 3 i. A sector of a window takes about 3 ms. Throws Error{invalid_input} for
/// no sectors, or other than one of a winning proof.
VanillaPost sparse_post(const PostProof& proof, std::string_view seed_text, u32 sectors, ThreadPool& pool);

}  // namespace cuzk::filecoin

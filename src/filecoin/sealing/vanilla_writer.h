/// Writes vanilla proofs of spacetime and of sector updates in bincode: the counterpart of vanilla_post.h and
/// vanilla_update.h.
#pragma once

#include <string>
#include <vector>

#include "filecoin/vanilla_post.h"
#include "filecoin/vanilla_update.h"

namespace cuzk::filecoin {

/// One string of bytes a sector, as requests hold them.
std::vector<std::string> encode_post(const VanillaPost& post);

/// One string of bytes a partition.
std::vector<std::string> encode_update(const VanillaUpdate& update);

}  // namespace cuzk::filecoin

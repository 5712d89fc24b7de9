/// Random values of a sector update: which nodes it opens, and by what the new data is multiplied.
#pragma once

#include <span>
#include <vector>

#include "field/fr.h"
#include "filecoin/circuits/update.h"
#include "filecoin/sector_shape.h"

namespace cuzk::filecoin {

/// The challenged nodes of one partition; they lie in the partition's part of the sector.
std::vector<u64> update_challenges(const SectorShape& shape, const Fr& comm_r_new, u32 partition);

/// H(comm_d_new, comm_r_old).
Fr update_phi(const Fr& comm_d_new, const Fr& comm_r_old);

/// H(phi, high): of all nodes whose number begins with these bits.
Fr update_rho(const Fr& phi, u64 high);
/// Those of several high bits, hashed side by side.
std::vector<Fr> update_rhos(const Fr& phi, std::span<const u64> highs);

/// The h highest bits of a node's number.
u64 high_bits_of(const SectorShape& shape, u64 node, u32 h);

/// Which of UpdateShape::hs is the network's h of this size: h_select is 2^this.
u32 network_h_choice(const SectorShape& shape);

/// The circuit's public inputs, ONE not among them.
std::vector<Fr> update_public_inputs(const SectorShape& shape, u32 partition, const Fr& comm_r_old,
                                     const Fr& comm_d_new, const Fr& comm_r_new);

}  // namespace cuzk::filecoin

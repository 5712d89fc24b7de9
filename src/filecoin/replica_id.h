/// The identity of a replica and the commitment that a sector publishes.
#pragma once

#include "field/fr.h"
#include "filecoin/node.h"

namespace cuzk::filecoin {

/// A miner's number as LEB128, zeros behind: the prover id.
Node prover_id(u64 miner_id);

/// SHA-256(prover_id || sector number, big-endian u64 || ticket || comm_d || porep_id), the two top bits cleared.
Node replica_id(const Node& prover_id, u64 sector_number, const Node& ticket, const Node& comm_d, const Node& porep_id);

/// Poseidon(comm_c, comm_r_last).
Fr comm_r(const Fr& comm_c, const Fr& comm_r_last);

}  // namespace cuzk::filecoin

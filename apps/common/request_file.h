/// Request files of PoSt and SnapDeals: one JSON object with the fields of the daemon's request under their own names,
/// or a bare array of base64 strings, which is taken for vanilla_proofs.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engine/request.h"

namespace cuzk::apps {

/// Fields that stand on the command line; they go before those of the file. Commitments and randomness in hexadecimal
/// digits.
struct RequestFlags {
  std::optional<u64> sector_size, registered_proof, miner_id;
  std::optional<u32> partition_index;
  std::string randomness, comm_r_old, comm_r_new, comm_d_new;
};

/// Throws Error{invalid_input} naming the field: JSON that cannot be read, an unknown field, a value of the wrong type,
/// a kind other than `kind`, text that is not base64 or hexadecimal, no registered_proof.
engine::ProofInput parse_request_file(std::string_view text, engine::Kind kind, const RequestFlags& flags);

}  // namespace cuzk::apps

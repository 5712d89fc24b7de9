/// Writes what `cuzk prove` reads: request files of PoSt and SnapDeals (see request_file.h).
#pragma once

#include <string>
#include <vector>

#include "base/json_object.h"
#include "filecoin/vanilla_post.h"
#include "filecoin/vanilla_update.h"

namespace cuzk::apps {

/// What a request says beside the proofs themselves. Throws Error{invalid_input} for a size that has no registered proof.
JsonObject fields_of(const filecoin::VanillaPost& post, u64 miner_id);

JsonObject fields_of(const filecoin::VanillaUpdate& update, u64 miner_id);

/// The proofs alone: a JSON array of base64 strings.
std::string proof_list(const std::vector<std::string>& proofs);

/// The whole request: the fields and the list. Throws as fields_of.
std::string request_of(const filecoin::VanillaPost& post, u64 miner_id);

std::string request_of(const filecoin::VanillaUpdate& update, u64 miner_id);

/// Writes the file. What there is to say of it: its name, length, SHA-256.
JsonObject write_request(const std::string& file, const std::string& text);

}  // namespace cuzk::apps

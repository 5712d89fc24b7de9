/// Reads the body of a PoRep request: {"SectorNum", "Phase1Out", "SectorSize"}, in which Phase1Out is base64 of the
/// JSON that commit phase 1 made (registered_proof, vanilla_proofs, comm_r, comm_d, replica_id, seed, ticket; keys in
/// any order, unknown ones skipped).
///
/// One pass, through a window of at most 256 KiB; values alone are kept (base/small_arrays.h), so that a request costs less
/// than a quarter of its size beside itself (a small one, of which the window is a large part, less than its size). Of the parts that the circuit does not use the challenged column's rows are kept, for messages; leaves that it calculates
/// and parents of labels are read and counted.
///
/// Errors are Error{invalid_input}. What is not JSON, not base64, or lacks a field "cannot be read"; what can be read
/// must have the counts of registered_proof, canonical field elements, and one root of each tree in a partition.
/// Whether the values fit together is another question: filecoin/porep_check.h.
#pragma once

#include <stop_token>
#include <string_view>

#include "filecoin/vanilla_porep.h"

namespace cuzk::filecoin {

/// Threads: any number may decode. Messages name field, partition, challenge, layer and index. Looks at `stop` before each
/// challenge (30 KB of text, 0.1 ms) and throws Error{cancelled} when it is asked to stop.
VanillaPorep decode_c1(std::string_view body, const std::stop_token& stop = {});

}  // namespace cuzk::filecoin

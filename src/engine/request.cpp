#include "engine/request.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "hash/sha256.h"

namespace cuzk::engine {

namespace {

/// Every field enters with a fixed width or with its length, so that no two inputs give the same bytes.
class FieldHasher {
 public:
  void add(u64 value) {
    std::array<u8, 8> bytes;
    for (unsigned i = 0; i < 8; ++i) bytes[i] = static_cast<u8>(value >> (8 * i));
    hash_.update(bytes);
  }
  void add(const std::string& bytes) {
    add(bytes.size());
    hash_.update({reinterpret_cast<const u8*>(bytes.data()), bytes.size()});
  }
  InputDigest finish() { return hash_.finish(); }

 private:
  Sha256 hash_;
};

}  // namespace

std::string_view name(Kind kind) {
  switch (kind) {
    case Kind::porep: return "porep-c2";
    case Kind::snap: return "snap-update";
    case Kind::window_post: return "window-post";
    case Kind::winning_post: return "winning-post";
  }
  return "unknown";
}

std::string label(Kind kind) {
  std::string result(name(kind));
  std::replace(result.begin(), result.end(), '-', '_');
  return result;
}

Priority default_priority(Kind kind) {
  switch (kind) {
    case Kind::winning_post: return Priority::critical;
    case Kind::window_post: return Priority::high;
    default: return Priority::normal;
  }
}

u64 ProofInput::bytes() const {
  u64 total = vanilla_proof.size() + randomness.size() + comm_r_old.size() + comm_r_new.size() + comm_d_new.size();
  for (const auto& proof : vanilla_proofs) total += proof.size();
  return total;
}

InputDigest digest(const ProofInput& input) {
  FieldHasher hasher;
  hasher.add(static_cast<u64>(input.kind));
  for (const u64 number : {input.sector_size, input.registered_proof, input.sector_number, input.miner_id,
                           u64{input.partition_index}, u64{input.vanilla_proofs.size()}}) {
    hasher.add(number);
  }
  hasher.add(input.vanilla_proof);
  for (const auto& proof : input.vanilla_proofs) hasher.add(proof);
  for (const auto* field : {&input.randomness, &input.comm_r_old, &input.comm_r_new, &input.comm_d_new}) {
    hasher.add(*field);
  }
  return hasher.finish();
}

}  // namespace cuzk::engine

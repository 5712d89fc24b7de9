#include "common/request_writer.h"

#include "base/error.h"
#include "base/hex.h"
#include "common/files.h"
#include "filecoin/base64.h"
#include "filecoin/sealing/vanilla_writer.h"

namespace cuzk::apps {

using filecoin::PostKind;
using filecoin::PostProof;

namespace {

constexpr u64 kPostProofs = 15, kUpdateProofs = 5;

u64 registered_number(const PostProof& proof) {
  for (u64 number = 0; number < kPostProofs; ++number)
    if (PostProof::from_number(number).name() == proof.name()) return number;
  throw invalid_input("{}: the network has no such proof, so it cannot be asked for", proof.name());
}

/// 0 for sizes that the network does not have: there the size says it.
u64 registered_number(const filecoin::SectorShape& shape) {
  for (u64 number = 0; number < kUpdateProofs; ++number)
    if (&filecoin::update_shape_of(number) == &shape) return number;
  return 0;
}

/// The fields' object without its closing brace, and the proofs, which no other field follows.
std::string with_proofs(const JsonObject& fields, const std::vector<std::string>& proofs) {
  std::string text = fields.text();
  text.pop_back();
  return text + R"(,"vanilla_proofs":)" + proof_list(proofs) + "}\n";
}

}  // namespace

JsonObject fields_of(const filecoin::VanillaPost& post, u64 miner_id) {
  JsonObject object;
  object.add("kind", post.proof.kind == PostKind::winning ? "winning" : "window");
  object.add("sector_size", post.proof.shape->bytes).add("registered_proof", registered_number(post.proof));
  object.add("randomness", to_hex(post.randomness)).add("miner_id", miner_id);
  return object.add("partition_index", post.first_partition);
}

JsonObject fields_of(const filecoin::VanillaUpdate& update, u64 miner_id) {
  JsonObject object;
  object.add("kind", "snap").add("sector_size", update.shape->bytes);
  object.add("registered_proof", registered_number(*update.shape)).add("miner_id", miner_id);
  object.add("comm_r_old", to_hex(update.comm_r_old.to_bytes()));
  object.add("comm_r_new", to_hex(update.comm_r_new.to_bytes()));
  return object.add("comm_d_new", to_hex(update.comm_d_new.to_bytes()));
}

std::string proof_list(const std::vector<std::string>& proofs) {
  std::string list;
  for (const std::string& proof : proofs) {
    if (!list.empty()) list += ',';
    list += '"' + filecoin::encode_base64(bytes_of(proof)) + '"';
  }
  return "[" + list + "]";
}

std::string request_of(const filecoin::VanillaPost& post, u64 miner_id) {
  return with_proofs(fields_of(post, miner_id), filecoin::encode_post(post));
}

std::string request_of(const filecoin::VanillaUpdate& update, u64 miner_id) {
  return with_proofs(fields_of(update, miner_id), filecoin::encode_update(update));
}

JsonObject write_request(const std::string& file, const std::string& text) {
  write_file(file, bytes_of(text));
  JsonObject object;
  object.add("file", file).add("bytes", text.size()).add("sha256", to_hex(sha256(bytes_of(text))));
  return object;
}

}  // namespace cuzk::apps

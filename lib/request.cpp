#include "request.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <string>

#include "base/error.h"

namespace cuzk::lib {

namespace {

/// The caller's struct may be of an older header, whose members are the first of ours.
cuzk_request take_known(const cuzk_request& given) {
  constexpr std::size_t kFirst = sizeof(cuzk_request);  // of the first version of the header
  if (given.struct_size < kFirst || given.struct_size > sizeof(cuzk_request))
    throw invalid_input("request.struct_size is {}, expected {}", given.struct_size, sizeof(cuzk_request));
  cuzk_request request{};
  std::memcpy(&request, &given, given.struct_size);
  return request;
}

engine::Kind kind_of(cuzk_kind kind) {
  switch (kind) {
    case CUZK_POREP: return engine::Kind::porep;
    case CUZK_SNAP: return engine::Kind::snap;
    case CUZK_WINDOW_POST: return engine::Kind::window_post;
    case CUZK_WINNING_POST: return engine::Kind::winning_post;
    default: throw invalid_input("request.kind is {}, expected 1 to 4", kind);
  }
}

engine::Priority priority_of(cuzk_priority priority, engine::Kind kind) {
  switch (priority) {
    case CUZK_PRIORITY_DEFAULT: return engine::default_priority(kind);
    case CUZK_PRIORITY_LOW: return engine::Priority::low;
    case CUZK_PRIORITY_NORMAL: return engine::Priority::normal;
    case CUZK_PRIORITY_HIGH: return engine::Priority::high;
    case CUZK_PRIORITY_CRITICAL: return engine::Priority::critical;
    default: throw invalid_input("request.priority is {}, expected 0 to 4", priority);
  }
}

std::string copy(const cuzk_bytes& bytes, const char* name) {
  if (bytes.size == 0) return {};
  if (bytes.data == nullptr) throw invalid_input("request.{}: data is NULL and size is {}", name, bytes.size);
  return {reinterpret_cast<const char*>(bytes.data), bytes.size};
}

std::vector<std::string> copy_all(const cuzk_bytes* items, std::size_t count) {
  if (count != 0 && items == nullptr) throw invalid_input("request.vanilla_proofs is NULL, its count is {}", count);
  std::vector<std::string> copies;
  for (std::size_t i = 0; i < count; ++i) copies.push_back(copy(items[i], "vanilla_proofs"));
  return copies;
}

std::optional<std::chrono::steady_clock::time_point> deadline_in(u64 milliseconds) {
  constexpr u64 kYear = u64{365} * 24 * 60 * 60 * 1000;  // what is longer is none
  if (milliseconds == 0 || milliseconds > kYear) return std::nullopt;
  return std::chrono::steady_clock::now() + std::chrono::milliseconds(milliseconds);
}

}  // namespace

engine::ProofRequest read_request(const cuzk_request& given) {
  const cuzk_request from = take_known(given);
  engine::ProofRequest request;
  if (from.request_id != nullptr) request.request_id = from.request_id;
  auto& input = request.input;
  input.kind = kind_of(from.kind);
  request.priority = priority_of(from.priority, input.kind);
  input.sector_size = from.sector_size;
  input.registered_proof = from.registered_proof;
  input.vanilla_proof = copy(from.vanilla_proof, "vanilla_proof");
  input.vanilla_proofs = copy_all(from.vanilla_proofs, from.vanilla_proof_count);
  input.sector_number = from.sector_number;
  input.miner_id = from.miner_id;
  input.randomness = copy(from.randomness, "randomness");
  input.partition_index = from.partition_index;
  input.comm_r_old = copy(from.comm_r_old, "comm_r_old");
  input.comm_r_new = copy(from.comm_r_new, "comm_r_new");
  input.comm_d_new = copy(from.comm_d_new, "comm_d_new");
  request.deadline = deadline_in(from.deadline_ms);
  return request;
}

}  // namespace cuzk::lib

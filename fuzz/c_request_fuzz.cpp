/// Any bytes as a cuzk_request: its struct as it lies in memory, with pointers and sizes put right, and behind it the bytes
/// that these point to. The library copies what it was given and no byte more.
#include <algorithm>
#include <array>
#include <cstring>
#include <deque>
#include <vector>

#include "cuzk.h"
#include "fuzzing.h"
#include "request.h"

namespace {

using namespace cuzk;

constexpr std::size_t kMostProofs = 16, kLongest = 4096;

/// Hands out the bytes piece by piece, each in memory of its own, so that a read behind its end is seen.
class Pieces {
 public:
  explicit Pieces(std::span<const u8> bytes) : bytes_(bytes) {}

  /// As many bytes as the size asks for, or as there are. NULL stays NULL, whatever its size.
  void place(cuzk_bytes& piece) {
    if (piece.data == nullptr) return;
    piece.size = std::min({piece.size % kLongest, bytes_.size()});
    piece.data = pieces_.emplace_back(bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(piece.size)).data();
    bytes_ = bytes_.subspan(piece.size);
  }

  /// Up to the first 0.
  void place(const char*& text) {
    if (text == nullptr) return;
    const auto end = std::ranges::find(bytes_, 0);
    auto& copy = pieces_.emplace_back(bytes_.begin(), end);
    bytes_ = bytes_.subspan(copy.size());
    copy.push_back(0);
    text = reinterpret_cast<const char*>(copy.data());
  }

 private:
  std::span<const u8> bytes_;
  std::deque<std::vector<u8>> pieces_;
};

/// NULL stays NULL, whatever the count.
std::vector<cuzk_bytes> place_proofs(cuzk_request& request, Pieces& pieces) {
  if (request.vanilla_proofs == nullptr) return {};
  request.vanilla_proof_count %= kMostProofs + 1;
  cuzk_bytes proof = request.vanilla_proof;
  std::vector<cuzk_bytes> proofs(request.vanilla_proof_count);
  for (auto& place : proofs) {
    place = proof;
    pieces.place(place);
    proof.size = proof.size / 2 + 1;
  }
  request.vanilla_proofs = proofs.data();
  return proofs;
}

void check(const cuzk_request& request) {
  const auto& input = lib::read_request(request).input;
  const auto same = [](const std::string& copy, const cuzk_bytes& given) {
    return copy.size() == given.size &&
           std::equal(copy.begin(), copy.end(), given.data, [](char a, u8 b) { return static_cast<u8>(a) == b; });
  };
  fuzz::expect(same(input.vanilla_proof, request.vanilla_proof) && same(input.randomness, request.randomness));
  fuzz::expect(same(input.comm_r_old, request.comm_r_old) && same(input.comm_d_new, request.comm_d_new));
  fuzz::expect(input.vanilla_proofs.size() == request.vanilla_proof_count);
  for (std::size_t i = 0; i < request.vanilla_proof_count; ++i)
    fuzz::expect(same(input.vanilla_proofs[i], request.vanilla_proofs[i]));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const cuzk::u8* data, std::size_t size) {
  if (size < sizeof(cuzk_request)) return 0;
  cuzk_request request;
  std::memcpy(&request, data, sizeof request);
  Pieces pieces({data + sizeof request, size - sizeof request});
  const auto proofs = place_proofs(request, pieces);
  for (auto* const piece :
       {&request.vanilla_proof, &request.randomness, &request.comm_r_old, &request.comm_r_new, &request.comm_d_new})
    pieces.place(*piece);
  pieces.place(request.request_id);
  fuzz::expect_value_or_invalid_input([&] { check(request); });
  return 0;
}

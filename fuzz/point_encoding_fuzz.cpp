/// Any bytes as a point of G1 and of G2 in both encodings, with and without the check of the subgroup. What is read is
/// written as the same bytes, and whatever the full check accepts the other accepts too, as the same point.
#include <algorithm>

#include "curve/encoding.h"
#include "fuzzing.h"

namespace {

using namespace cuzk;

template <class Affine>
void check(std::span<const u8> bytes, const Decoded<Affine>& checked, const Decoded<Affine>& unchecked,
           std::span<const u8> written) {
  if (unchecked.ok()) fuzz::expect(std::ranges::equal(written, bytes));
  if (checked.ok()) fuzz::expect(unchecked.ok() && checked.point == unchecked.point);
  if (!checked.ok()) fuzz::expect(!unchecked.ok() || checked.fault == EncodingFault::not_in_subgroup);
}

template <class Affine>
void decode(std::span<const u8> bytes) {
  if (bytes.size() >= kCompressedBytes<Affine>) {
    const auto head = bytes.first<kCompressedBytes<Affine>>();
    const auto unchecked = from_compressed_unchecked<Affine>(head);
    check<Affine>(head, from_compressed<Affine>(head), unchecked, to_compressed(unchecked.point));
  }
  if (bytes.size() >= kUncompressedBytes<Affine>) {
    const auto head = bytes.first<kUncompressedBytes<Affine>>();
    const auto unchecked = from_uncompressed_unchecked<Affine>(head);
    check<Affine>(head, from_uncompressed<Affine>(head), unchecked, to_uncompressed(unchecked.point));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const cuzk::u8* data, std::size_t size) {
  decode<G1Affine>({data, size});
  decode<G2Affine>({data, size});
  return 0;
}

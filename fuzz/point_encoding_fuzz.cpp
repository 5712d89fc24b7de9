/// Any bytes as a point, whose encoding their number chooses: one encoding an execution, since a square root is most of
/// its time. What is read is written as the same bytes, and whatever the full check accepts the other accepts too, as the
/// same point.
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

/// A point that is refused for another reason than its subgroup is hardly ever worth another square root.
template <class Affine>
bool is_worth_a_second_look(const Decoded<Affine>& checked, std::span<const u8> bytes) {
  return checked.ok() || checked.fault == EncodingFault::not_in_subgroup || bytes.back() % 16 == 0;
}

template <class Affine>
void decode_compressed(std::span<const u8> bytes) {
  const auto head = bytes.first<kCompressedBytes<Affine>>();
  const auto checked = from_compressed<Affine>(head);
  if (!is_worth_a_second_look(checked, head)) return;
  const auto unchecked = from_compressed_unchecked<Affine>(head);
  check<Affine>(head, checked, unchecked, to_compressed(unchecked.point));
}

template <class Affine>
void decode_uncompressed(std::span<const u8> bytes) {
  const auto head = bytes.first<kUncompressedBytes<Affine>>();
  const auto checked = from_uncompressed<Affine>(head);
  const auto unchecked = from_uncompressed_unchecked<Affine>(head);
  check<Affine>(head, checked, unchecked, to_uncompressed(unchecked.point));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const cuzk::u8* data, std::size_t size) {
  const std::span bytes(data, size);
  if (size >= kUncompressedBytes<G2Affine>) {
    decode_uncompressed<G2Affine>(bytes);
  } else if (size > kUncompressedBytes<G1Affine>) {
    decode_uncompressed<G1Affine>(bytes);
  } else if (size == kCompressedBytes<G2Affine>) {
    decode_compressed<G2Affine>(bytes);
  } else if (size >= kCompressedBytes<G1Affine>) {
    decode_compressed<G1Affine>(bytes);
  }
  return 0;
}

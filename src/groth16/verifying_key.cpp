#include "groth16/verifying_key.h"

#include <string>

#include "base/error.h"
#include "curve/encoding.h"
#include "groth16/big_endian.h"
#include "groth16/input_file.h"
#include "groth16/key_rules.h"
#include "groth16/output_file.h"

namespace cuzk::groth16 {
namespace {

constexpr std::size_t kG1Bytes = kUncompressedBytes<G1Affine>;

/// More than any circuit has inputs; a larger file is another kind of file.
constexpr u64 kLargestFile = u64{1} << 27;

/// Takes points from the front of bytes whose length has been checked.
class PointReader {
 public:
  PointReader(std::span<const u8> bytes, std::string_view source) : bytes_(bytes), source_(source) {}

  template <class Affine>
  Affine take(std::string_view name) {
    constexpr std::size_t kBytes = kUncompressedBytes<Affine>;
    const std::string place = fmt::format("{}: {}", source_, name);
    const Affine point = from_uncompressed<Affine>(bytes_.first<kBytes>()).value_or_throw(place);
    if (point.is_infinity()) throw invalid_input("{}: the point is infinity, which no key has", place);
    bytes_ = bytes_.subspan(kBytes);
    return point;
  }

 private:
  std::span<const u8> bytes_;
  std::string_view source_;
};

u32 check_length(std::span<const u8> bytes, std::string_view source) {
  constexpr std::size_t kHead = VerifyingKey::kPointBytes + kCountBytes;
  if (bytes.size() < kHead) {
    throw invalid_input("{}: {} bytes, expected at least {} of a verifying key", source, bytes.size(), kHead);
  }
  const u32 count = count_from_bytes(bytes.subspan<VerifyingKey::kPointBytes, kCountBytes>());
  const u64 expected = kHead + u64{count} * kG1Bytes;
  if (bytes.size() != expected) {
    throw invalid_input("{}: {} bytes, expected {} for the {} points that ic is said to have", source, bytes.size(),
                        expected, count);
  }
  if (count == 0) throw invalid_input("{}: ic has no point, expected one for each input, ONE included", source);
  return count;
}

template <class Affine>
void append(std::vector<u8>& bytes, const Affine& point) {
  const auto own = to_uncompressed(point);
  bytes.insert(bytes.end(), own.begin(), own.end());
}

}  // namespace

VerifyingKey VerifyingKey::from_bytes(std::span<const u8> bytes, std::string_view source) {
  const u32 count = check_length(bytes, source);
  PointReader head(bytes.first<kPointBytes>(), source);
  VerifyingKey key;
  key.alpha_g1 = head.take<G1Affine>("alpha_g1");
  key.beta_g1 = head.take<G1Affine>("beta_g1");
  key.beta_g2 = head.take<G2Affine>("beta_g2");
  key.gamma_g2 = head.take<G2Affine>("gamma_g2");
  key.delta_g1 = head.take<G1Affine>("delta_g1");
  key.delta_g2 = head.take<G2Affine>("delta_g2");
  PointReader tail(bytes.subspan(kPointBytes + kCountBytes), source);
  key.ic.reserve(count);
  for (u32 i = 0; i < count; ++i) key.ic.push_back(tail.take<G1Affine>(fmt::format("ic[{}]", i)));
  check_soundness(key, source);
  return key;
}

std::vector<u8> VerifyingKey::to_bytes() const {
  std::vector<u8> bytes;
  bytes.reserve(kPointBytes + kCountBytes + ic.size() * kG1Bytes);
  append(bytes, alpha_g1);
  append(bytes, beta_g1);
  append(bytes, beta_g2);
  append(bytes, gamma_g2);
  append(bytes, delta_g1);
  append(bytes, delta_g2);
  const auto count = count_to_bytes(static_cast<u32>(ic.size()));
  bytes.insert(bytes.end(), count.begin(), count.end());
  for (const G1Affine& point : ic) append(bytes, point);
  return bytes;
}

VerifyingKey VerifyingKey::read(const std::filesystem::path& path) {
  const InputFile file(path);
  return from_bytes(file.read_all(kLargestFile), file.name());
}

void VerifyingKey::write(const std::filesystem::path& path) const {
  OutputFile file(path);
  file.write(to_bytes());
  file.finish();
}

}  // namespace cuzk::groth16

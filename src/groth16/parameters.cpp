#include "groth16/parameters.h"

#include <vector>

#include "groth16/big_endian.h"
#include "groth16/key_reader.h"

namespace cuzk::groth16 {
namespace {

template <class Affine>
Buffer<Affine> read_vector(const KeyReader& reader, const KeyVector& vector, const KeyReader::How& how) {
  Buffer<Affine> points(vector.count);
  reader.read(vector, 0, points.span(), how);
  return points;
}

}  // namespace

VerifyingKey read_verifying_key(const InputFile& file, const KeyLengths& lengths) {
  std::vector<u8> bytes(lengths.verifying_key_bytes());
  file.read_at(0, bytes);
  return VerifyingKey::from_bytes(bytes, file.name());
}

KeyLengths Parameters::lengths() const {
  return {.ic = static_cast<u32>(verifying_key.ic.size()),
          .h = static_cast<u32>(h.size()),
          .l = static_cast<u32>(l.size()),
          .a = static_cast<u32>(a.size()),
          .b_g1 = static_cast<u32>(b_g1.size()),
          .b_g2 = static_cast<u32>(b_g2.size())};
}

Parameters read_parameters(const std::filesystem::path& path, KeyCheck check, ThreadPool& pool,
                           const Control& control) {
  const KeyReader reader(path);
  Progress progress(control.on_progress, fmt::format("loading {}", path.filename().string()), reader.file().size());
  const KeyReader::How how{check, pool, control, &progress};
  Parameters key;
  key.verifying_key = read_verifying_key(reader.file(), reader.lengths());
  progress.advance(reader.lengths().verifying_key_bytes());
  key.h = read_vector<G1Affine>(reader, reader.h(), how);
  key.l = read_vector<G1Affine>(reader, reader.l(), how);
  key.a = read_vector<G1Affine>(reader, reader.a(), how);
  key.b_g1 = read_vector<G1Affine>(reader, reader.b_g1(), how);
  key.b_g2 = read_vector<G2Affine>(reader, reader.b_g2(), how);
  progress.advance(5 * kCountBytes);
  return key;
}

}  // namespace cuzk::groth16

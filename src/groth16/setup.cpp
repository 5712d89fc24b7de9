#include "groth16/setup.h"

#include <algorithm>
#include <vector>

#include "curve/g1.h"
#include "curve/g2.h"
#include "groth16/blinding.h"
#include "groth16/key_scalars.h"
#include "groth16/parameter_writer.h"
#include "msm/fixed_base.h"

namespace cuzk::groth16 {
namespace {

using G1Table = msm::FixedBase<G1Curve>;
using G2Table = msm::FixedBase<G2Curve>;

/// Points that are made and written at a time: 6 MiB of G1.
constexpr std::size_t kPiece = std::size_t{1} << 16;

struct Work {
  ThreadPool& pool;
  const Control& control;
};

/// Writes multiples of the generator, piece by piece; scalars_of(first, count) gives the scalars of a piece.
template <class Table, class Scalars>
void write_multiples(ParameterWriter& writer, const Table& table, std::size_t count, const Work& work,
                     const Scalars& scalars_of) {
  for (std::size_t first = 0; first < count; first += kPiece) {
    work.control.check("setup");
    const auto scalars = scalars_of(first, std::min(kPiece, count - first));
    const auto points = table.multiply(std::span<const Fr>(scalars), work.pool);
    writer.append(std::span(points));
  }
}

template <class Table>
void write_query(ParameterWriter& writer, const Table& table, const std::vector<Fr>& scalars, const Work& work) {
  write_multiples(writer, table, scalars.size(), work, [&](std::size_t first, std::size_t piece) {
    return std::span<const Fr>(scalars).subspan(first, piece);
  });
}

/// Writes the five vectors; the scalars are used up.
FileDigest write_parameters(const std::filesystem::path& path, const VerifyingKey& key, const KeyLengths& lengths,
                            KeyScalars& scalars, const Work& work) {
  const G1Table table(G1::generator());
  ParameterWriter writer(path, key, lengths, work.pool, work.control);
  write_multiples(writer, table, lengths.h, work,
                  [&](std::size_t first, std::size_t piece) { return scalars.h(first, piece); });
  write_multiples(writer, table, lengths.l, work,
                  [&](std::size_t first, std::size_t piece) { return scalars.l(first, piece); });
  write_query(writer, table, scalars.take_a(), work);
  const std::vector<Fr> b = scalars.take_b();
  write_query(writer, table, b, work);
  write_query(writer, G2Table(G2::generator()), b, work);
  return writer.finish();
}

FileDigest write_verifying_key(const std::filesystem::path& path, const VerifyingKey& key, ThreadPool& pool) {
  key.write(path);
  FileDigester digester;
  digester.update(key.to_bytes(), pool);
  return digester.finish();
}

}  // namespace

ToxicWaste ToxicWaste::fresh() { return {random_fr(), random_fr(), random_fr(), random_fr(), random_fr()}; }

KeyDigests setup(const r1cs::Circuit& circuit, const ToxicWaste& waste, const KeyFiles& files, ThreadPool& pool,
                 const Control& control) {
  control.check("setup");
  ThreadPool stoppable = pool.until(control.stop);
  KeyScalars scalars(circuit, waste, stoppable, control);
  const VerifyingKey key = scalars.verifying_key();
  const FileDigest params = write_parameters(files.params, key, key_lengths(circuit), scalars, {stoppable, control});
  return {.params = params, .vk = write_verifying_key(files.vk, key, stoppable)};
}

}  // namespace cuzk::groth16

#include "groth16/setup.h"

#include <algorithm>
#include <vector>

#include "base/buffer.h"
#include "groth16/blinding.h"
#include "groth16/key_scalars.h"
#include "groth16/parameter_writer.h"

namespace cuzk::groth16 {
namespace {

struct Work {
  GeneratorMultiples& multiples;
  const Control& control;
};

/// Writes multiples of the generator, piece by piece; scalars_of(first, count) gives the scalars of a piece.
template <class Affine, class Scalars>
void write_multiples(ParameterWriter& writer, std::size_t count, const Work& work, const Scalars& scalars_of) {
  const std::size_t most = std::min(work.multiples.at_once(), count);
  Buffer<Affine> points(most);
  for (std::size_t first = 0; first < count; first += most) {
    work.control.check("setup");
    const auto scalars = scalars_of(first, std::min(most, count - first));
    const auto piece = points.span().first(scalars.size());
    work.multiples.multiply(std::span<const Fr>(scalars), piece);
    writer.append(std::span<const Affine>(piece));
  }
}

template <class Affine>
void write_query(ParameterWriter& writer, const std::vector<Fr>& scalars, const Work& work) {
  write_multiples<Affine>(writer, scalars.size(), work, [&](std::size_t first, std::size_t piece) {
    return std::span<const Fr>(scalars).subspan(first, piece);
  });
}

/// Writes the five vectors; the scalars are used up.
void write_vectors(ParameterWriter& writer, const KeyLengths& lengths, KeyScalars& scalars, const Work& work) {
  write_multiples<G1Affine>(writer, lengths.h, work,
                            [&](std::size_t first, std::size_t piece) { return scalars.h(first, piece); });
  write_multiples<G1Affine>(writer, lengths.l, work,
                            [&](std::size_t first, std::size_t piece) { return scalars.l(first, piece); });
  write_query<G1Affine>(writer, scalars.take_a(), work);
  const std::vector<Fr> b = scalars.take_b();
  write_query<G1Affine>(writer, b, work);
  write_query<G2Affine>(writer, b, work);
}

FileDigest write_verifying_key(const std::filesystem::path& path, const VerifyingKey& key, ThreadPool& pool) {
  key.write(path);
  FileDigester digester;
  digester.update(key.to_bytes(), pool);
  return digester.finish();
}

}  // namespace

ToxicWaste ToxicWaste::fresh() { return {random_fr(), random_fr(), random_fr(), random_fr(), random_fr()}; }

KeyDigests setup(const r1cs::Circuit& circuit, const ToxicWaste& waste, const KeyFiles& files,
                 GeneratorMultiples& multiples, ThreadPool& pool, const Control& control) {
  control.check("setup");
  ThreadPool stoppable = pool.until(control.stop);
  KeyScalars scalars(circuit, waste, stoppable, control);
  const VerifyingKey key = scalars.verifying_key();
  const KeyLengths lengths = key_lengths(circuit);
  ParameterWriter writer(files.params, key, lengths, stoppable, control);
  write_vectors(writer, lengths, scalars, {multiples, control});
  const FileDigest params = writer.finish();
  return {.params = params, .vk = write_verifying_key(files.vk, key, stoppable)};
}

KeyDigests setup(const r1cs::Circuit& circuit, const ToxicWaste& waste, const KeyFiles& files, ThreadPool& pool,
                 const Control& control) {
  ThreadPool stoppable = pool.until(control.stop);
  const auto multiples = multiples_by_threads(key_lengths(circuit), stoppable);
  return setup(circuit, waste, files, *multiples, pool, control);
}

}  // namespace cuzk::groth16

#include "r1cs/circuit_file.h"

#include <cstring>

#include "base/error.h"
#include "base/whole_file.h"

namespace cuzk::r1cs {
namespace {

Digest checksum(ImageHeader header, std::span<const u8> image) {
  header.checksum = {};
  Sha256 hash;
  hash.update({reinterpret_cast<const u8*>(&header), sizeof header});
  return hash.update(image.subspan(sizeof header)).finish();
}

void check(const ImageHeader& header, const Digest& maker, std::span<const u8> image, const std::string& name) {
  if (header.maker != maker) throw invalid_input("{}: a circuit compiled by another version of this program", name);
  if (checksum(header, image) != header.checksum)
    throw invalid_input("{}: its checksum is not that of its bytes", name);
}

}  // namespace

CircuitFile read_circuit(const std::filesystem::path& path, const Digest& maker) {
  Buffer<u8> image = read_whole_file(path);
  const ImageHeader header = read_header(image.span(), path.string());
  check(header, maker, image.span(), path.string());
  CircuitOrigin origin{header.maker, {}};
  if (header.network_digest_known != 0) origin.network_digest = header.network_digest;
  read_image(image.span(), path.string());  // so that a refusal names the file
  return {Circuit(std::move(image)), origin};
}

void write_circuit(const std::filesystem::path& path, const Circuit& circuit, const CircuitOrigin& origin) {
  const std::span<const u8> image = circuit.image();
  ImageHeader header = read_header(image, "circuit in memory");
  header.maker = origin.maker;
  header.network_digest_known = origin.network_digest ? 1 : 0;
  header.network_digest = origin.network_digest.value_or(Digest{});
  header.checksum = checksum(header, image);
  write_whole_file(path, {{reinterpret_cast<const u8*>(&header), sizeof header}, image.subspan(sizeof header)});
}

}  // namespace cuzk::r1cs

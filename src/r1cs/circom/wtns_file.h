/// Witnesses of circom and snarkjs: .wtns files.
///
/// Sections: 1 the prime and the number of wires, 2 their values, 32 bytes each, little-endian and canonical. Wire 0 is
/// ONE. The values are secret: no message holds one.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "base/buffer.h"
#include "r1cs/witness.h"

namespace cuzk::r1cs {

/// The value of each wire; wiped by nobody but its owner.
using Wires = std::vector<Fr, PageAllocator<Fr>>;

/// Reads a file's bytes. Throws Error{invalid_input} naming `source`, section, wire, found and expected.
Wires read_wires(std::span<const u8> file, const std::string& source);
/// The same of a file; not_found when there is none.
Wires read_wires(const std::filesystem::path& path);

/// The witness of a circuit of circom (r1cs_file.h) with so many public wires, ONE not counted: runs of bits are kept as
/// bits. Throws Error{invalid_input} when there are fewer wires.
Witness witness_of_wires(std::span<const Fr> wires, u32 publics);

}  // namespace cuzk::r1cs

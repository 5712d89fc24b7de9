/// Proving keys of snarkjs: .zkey files of Groth16 over BLS12-381.
///
/// Sections: 1 the protocol (u32 1), 2 primes, numbers and the fixed points, 3 ic, 4 the terms of A and B, 5 a, 6 b in G1,
/// 7 b in G2, 8 l (snarkjs: C), 9 h, 10 contributions, which are not looked at. A point is affine, x then y, coordinates
/// little-endian in Montgomery form (R = 2^384), infinity all zeros: the bytes that it has here in memory. A term is u32
/// matrix (0: A, 1: B), u32 row, u32 wire and its coefficient times R^2 (R = 2^256).
///
/// Three things differ from .params (key_layout.h). a, b have a point for every wire, infinity where it does not occur. The rows
/// of A that bind the public wires stand in the terms. And h is not powers of tau: point i is L_(2i+1)(tau) / delta of the
/// domain with twice as many points, so that h takes the values of a b - c at those odd points, not the coefficients of a
/// quotient.
#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "base/buffer.h"
#include "base/thread_pool.h"
#include "groth16/control.h"
#include "groth16/verifying_key.h"

namespace cuzk::groth16 {

/// A or B in compressed rows, one for each point of the domain.
struct ZkeyMatrix {
  struct Term {
    u32 wire;
    Fr coefficient;
  };
  Buffer<u32> starts;  ///< row j has the terms starts[j] .. starts[j + 1]
  Buffer<Term> terms;
};

struct Zkey {
  VerifyingKey verifying_key;
  u32 wires = 0, publics = 0;  ///< ONE counts as a wire and not as a public one
  unsigned log2_domain = 0;
  ZkeyMatrix a_rows, b_rows;
  Buffer<G1Affine> a, b_g1;  ///< every wire
  Buffer<G2Affine> b_g2;     ///< every wire
  Buffer<G1Affine> l;        ///< every wire that is not public
  Buffer<G1Affine> h;        ///< every point of the domain
};

/// Reads a file's bytes; every length is checked against them before memory is taken, which is then about the file's size.
/// Points of the queries are checked as `check` says, those of the verifying key always, and so is its soundness
/// (key_rules.h). Throws Error: invalid_input naming `source`, section, index, found and expected; cancelled.
Zkey read_zkey(std::span<const u8> file, const std::string& source, KeyCheck check, ThreadPool& pool,
               const Control& control);
/// The same of a file; not_found when there is none.
Zkey read_zkey(const std::filesystem::path& path, KeyCheck check, ThreadPool& pool, const Control& control);

/// Of a file only what verification needs.
VerifyingKey read_zkey_verifying_key(const std::filesystem::path& path);

}  // namespace cuzk::groth16

/// Arithmetic on field elements, and their bits.
///
/// Each gadget stands here twice or thrice: for a Compiler (places constraints), for a WitnessBuilder (computes the
/// same variables' values), and for a Recorder where gadgets of larger templates are made of it.
#pragma once

#include "r1cs/compiler.h"
#include "r1cs/recorder.h"
#include "r1cs/witness_builder.h"

namespace cuzk::gadgets {

using r1cs::BitString;
using r1cs::Compiler;
using r1cs::LinearCombination;
using r1cs::Recorder;
using r1cs::Signal;
using r1cs::Variable;
using r1cs::WitnessBuilder;

inline constexpr unsigned kFieldBits = 255;  ///< bits of an element of Fr

/// A new variable x * y.
Signal multiply(Recorder& recorder, const LinearCombination& x, const LinearCombination& y);
Signal multiply(Compiler& builder, Signal x, Signal y);
Fr multiply(WitnessBuilder& builder, const Fr& x, const Fr& y);

/// A new variable x + y: also the encoding of a node by its key.
Signal add(Compiler& builder, Signal x, Signal y);
Fr add(WitnessBuilder& builder, const Fr& x, const Fr& y);

/// A new variable x - y.
Signal subtract(Compiler& builder, Signal x, Signal y);
Fr subtract(WitnessBuilder& builder, const Fr& x, const Fr& y);

/// x * 1 = y.
void enforce_equal(Compiler& builder, Signal x, Signal y);
inline void enforce_equal(WitnessBuilder&, const Fr&, const Fr&) {}

/// x differs from 0: a new variable is its inverse.
void enforce_nonzero(Compiler& builder, Signal x);
void enforce_nonzero(WitnessBuilder& builder, const Fr& x);

/// A new public input that equals x.
void inputize(Compiler& builder, Signal x);
void inputize(WitnessBuilder& builder, const Fr& x);

/// The 255 bits of x, least significant first, as new variables. Not strict: the bits of x + r are accepted too where
/// they fit.
std::vector<Signal> to_bits(Compiler& builder, Signal x);
BitString to_bits(WitnessBuilder& builder, const Fr& x);

/// Sum of 2^i * bit_i.
LinearCombination packed(std::span<const Signal> bits);
/// The same as a value; at most 254 bits.
Fr packed(const BitString& bits, std::size_t first, std::size_t count);

}  // namespace cuzk::gadgets

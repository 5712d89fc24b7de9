/// Square roots. Each has two; which of them is returned is fixed (the one that Filecoin's crates return).
#pragma once

#include <optional>

#include "field/fp.h"
#include "field/fp2.h"
#include "field/fr.h"

namespace cuzk {

/// Empty when the element is no square. The root is itself a square: x^((p + 1) / 4).
std::optional<Fp> square_root(const Fp& element);

/// Empty when the element is no square. Source: Tonelli, Shanks.
std::optional<Fr> square_root(const Fr& element);

/// Empty when the element is no square. Two powers in Fp and no inversion.
/// Source: Scott, "Tricks of the trade for pairing-based cryptography" (2020), the complex method.
std::optional<Fp2> square_root(const Fp2& element);

}  // namespace cuzk

/// The two random scalars of a proof, r and s. Whoever knows them and the proof learns about the witness, so they are
/// drawn for one proof, never logged and wiped when they are gone.
#pragma once

#include <functional>

#include "field/fr.h"

namespace cuzk::groth16 {

class Blinding {
 public:
  /// From the operating system's generator; uniform below the modulus. Throws Error{internal} when it fails.
  static Blinding fresh();

#ifdef CUZK_INSECURE
  /// For tests only: the proof is then a function of the witness alone. A production build does not have it.
  static Blinding insecure_fixed(const Fr& r, const Fr& s) { return Blinding(r, s); }
#endif

  Blinding(const Blinding&) = delete;
  Blinding& operator=(const Blinding&) = delete;
  ~Blinding();

  const Fr& r() const { return r_; }
  const Fr& s() const { return s_; }

 private:
  Blinding(const Fr& r, const Fr& s) : r_(r), s_(s) {}

  Fr r_, s_;
};

/// Where a proof's blinding comes from; called once for each attempt.
using BlindingSource = std::function<Blinding()>;

/// A uniform element from the operating system's generator. Throws Error{internal} when it fails.
Fr random_fr();

}  // namespace cuzk::groth16

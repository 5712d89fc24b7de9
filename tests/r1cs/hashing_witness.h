/// Witnesses in which bits, elements and hashes of several forms alternate; of no circuit.
#pragma once

#include <array>

#include "r1cs/witness.h"
#include "support/random.h"

namespace cuzk::r1cs {

inline constexpr std::array<PoseidonForm, 7> kSomeForms = {{{PoseidonTag::merkle, 2},
                                                           {PoseidonTag::merkle, 4},
                                                           {PoseidonTag::merkle, 8},
                                                           {PoseidonTag::merkle, 11},
                                                           {PoseidonTag::randomness, 2},
                                                           {PoseidonTag::randomness, 1},
                                                           {PoseidonTag::merkle, 15}}};

inline Witness hashing_witness(u64 seed, u32 hashes) {
  test::Random random(seed);
  Witness witness;
  witness.add_input(test::random_field<Fr>(random));
  for (u32 i = 0; i < hashes; ++i) {
    for (u64 bits = random() % 3 * (random() % 70); bits > 0; --bits) witness.add_bits(random(), 1);
    witness.add_elements(test::random_fields<Fr>(random() % 9, random));
    const PoseidonForm& form = kSomeForms[random() % kSomeForms.size()];
    witness.add_hash(form, test::random_fields<Fr>(form.arity, random));
  }
  witness.add_bits(random(), static_cast<unsigned>(random() % 64));
  return witness;
}

}  // namespace cuzk::r1cs

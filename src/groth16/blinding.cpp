#include "groth16/blinding.h"

#include "base/random.h"

namespace cuzk::groth16 {

Fr random_fr() {
  Fr::Bytes bytes;
  const WipeAtEnd wipe_bytes(bytes);
  for (;;) {
    fill_random(bytes);
    bytes.back() &= 0x7f;  // the modulus has 255 bits: nine draws in ten are below it
    if (const auto value = Fr::from_bytes(bytes)) return *value;
  }
}

Blinding Blinding::fresh() { return Blinding(random_fr(), random_fr()); }

Blinding::~Blinding() {
  wipe(r_);
  wipe(s_);
}

}  // namespace cuzk::groth16

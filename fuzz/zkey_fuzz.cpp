/// Any bytes as a .zkey file, every point checked to be on its curve; then the rows that its terms make are walked.
#include "fuzzing.h"
#include "groth16/circom/zkey.h"
#include "one_thread.h"

namespace {

void walk(const cuzk::groth16::ZkeyMatrix& matrix, const cuzk::groth16::Zkey& key) {
  using namespace cuzk;
  fuzz::expect(matrix.starts.size() == (std::size_t{1} << key.log2_domain) + 1);
  fuzz::expect(matrix.starts[matrix.starts.size() - 1] == matrix.terms.size());
  for (const auto& term : matrix.terms) fuzz::expect(term.wire < key.wires);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const cuzk::u8* data, std::size_t size) {
  using namespace cuzk;
  fuzz::expect_value_or_invalid_input([&] {
    const auto key = groth16::read_zkey({data, size}, "k.zkey", groth16::KeyCheck::points, fuzz::one_thread(), {});
    walk(key.a_rows, key);
    walk(key.b_rows, key);
  });
  return 0;
}

#include "r1cs/evaluator.h"

namespace cuzk::r1cs {

void Circuit::evaluate(const Witness& witness, std::span<Fr> a, std::span<Fr> b, std::span<Fr> c,
                       ThreadPool& pool) const {
  Evaluator(*this).evaluate(witness, a, b, c, pool);
}

}  // namespace cuzk::r1cs

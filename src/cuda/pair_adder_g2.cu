#include "cuda/pair_adder_kernels.cuh"
#include "curve/g2.h"

namespace cuzk::cuda {

template void PairAdder<G2Curve>::add(const G2Affine*, const NeighbourPairs&, std::size_t, G2Affine*);
template void PairAdder<G2Curve>::add(const G2Affine*, const ListedPairs&, std::size_t, G2Affine*);
template void PairAdder<G2Curve>::add(const G2Affine*, const HalvesPairs&, std::size_t, G2Affine*);
template void PairAdder<G2Curve>::add(const G2Affine*, const StepPairs&, std::size_t, G2Affine*);
template void PairAdder<G2Curve>::add(const G2Affine*, const PooledPairs<G2Curve>&, std::size_t, G2Affine*);

}  // namespace cuzk::cuda

#include "cuda/pair_adder_kernels.cuh"
#include "curve/g1.h"

namespace cuzk::cuda {

template void PairAdder<G1Curve>::add(const G1Affine*, const NeighbourPairs&, std::size_t, G1Affine*);
template void PairAdder<G1Curve>::add(const G1Affine*, const ListedPairs&, std::size_t, G1Affine*);
template void PairAdder<G1Curve>::add(const G1Affine*, const HalvesPairs&, std::size_t, G1Affine*);
template void PairAdder<G1Curve>::add(const G1Affine*, const StepPairs&, std::size_t, G1Affine*);
template void PairAdder<G1Curve>::add(const G1Affine*, const Doublings&, std::size_t, G1Affine*);
template void PairAdder<G1Curve>::add(const G1Affine*, const PooledPairs<G1Curve>&, std::size_t, G1Affine*);

}  // namespace cuzk::cuda

#include <immintrin.h>

#include <algorithm>
#include <bit>
#include <vector>

#include "base/buffer.h"
#include "field/kernels.h"
#include "poly/transform.h"
//
#include "field/ifma_begin.h"
//
#include "field/ifma_lanes.h"
#include "poly/four_step.h"

namespace cuzk {

void transform_ifma(std::span<Fr> values, const Transform& transform, ThreadPool& pool) {
  FourStep<IfmaLanes<Fr>>(values, transform, pool).run();
}

}  // namespace cuzk

#include "field/ifma_end.h"

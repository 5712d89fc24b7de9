// Scales. An element of memory is x R with R = 2^256, and a product of lanes divides by R' = 2^260. So one factor of a
// power is first multiplied by R' / R = 16, by shifting: (16 x R) x R / R' = x^2 R. Constants are factors w R', with
// which a product keeps its scale.
//
// Ranges, in multiples of the modulus m; a product is below x y / R' + m, and m / R' = 0.0283. What goes into an S-box
// is canonical; 16 x times y is below 1.46. A sum of 12 products of canonical values is below 1.34. In the partial
// rounds the elements but the first are not reduced at once: they grow by 1.03 a round and are made canonical every
// kReducedEvery rounds, so that they stay below 10 and a sum of 12 products below 4.4.
#include <immintrin.h>

#include <algorithm>
#include <array>
#include <bit>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "field/fr.h"
#include "hash/poseidon_batch.h"
//
#include "field/ifma_begin.h"
//
#include "field/ifma_lanes.h"

namespace cuzk::detail {
namespace {

using Lanes = IfmaLanes<Fr>;
constexpr std::size_t kLanes = Lanes::kLanes;
constexpr std::size_t kMostWidth = kPoseidonLaneArity + 1;
constexpr std::size_t kReducedEvery = 8;
constexpr unsigned kScaleBits = 4;  // of R' / R

/// The constants of an arity in the forms that lanes take.
struct LaneConstants {
  /// Factors column after column, each `width` long: the column's elements meet the state's in a sum of products.
  using Matrix = std::vector<Lanes::Factor>;

  struct Sparse {
    std::vector<Lanes::Factor> column, row;
  };

  explicit LaneConstants(const PoseidonConstants& c)
      : width(c.width), mds(transposed(c.mds)), pre_sparse(transposed(c.pre_sparse)) {
    for (const Fr& key : c.compressed) keys.push_back(Lanes::Constant::from(key));
    for (const PoseidonSparse& s : c.sparse) sparse.push_back({factors(s.column), factors(s.row)});
  }

  static const LaneConstants& of(const PoseidonConstants& constants) {
    struct Slot {
      std::once_flag once;
      std::unique_ptr<const LaneConstants> constants;
    };
    static std::array<Slot, kPoseidonLaneArity + 1> slots;
    Slot& slot = slots.at(constants.arity);
    std::call_once(slot.once, [&] { slot.constants = std::make_unique<const LaneConstants>(constants); });
    return *slot.constants;
  }

  std::size_t width;
  std::vector<Lanes::Constant> keys;
  Matrix mds, pre_sparse;
  std::vector<Sparse> sparse;

 private:
  static std::vector<Lanes::Factor> factors(std::span<const Fr> elements) {
    std::vector<Lanes::Factor> result;
    for (const Fr& element : elements) result.push_back(Lanes::Factor::from(element));
    return result;
  }
  static Matrix transposed(const PoseidonMatrix& matrix) {
    Matrix result;
    for (std::size_t j = 0; j < matrix.width; ++j)
      for (std::size_t i = 0; i < matrix.width; ++i) result.push_back(Lanes::Factor::from(matrix.at(i, j)));
    return result;
  }
};

/// The canonical lanes of an S-box: see PoseidonSBox.
struct SBoxLanes {
  Lanes input, square, fourth, output;
};

struct Unwatched {
  void operator()(std::size_t, const SBoxLanes&) {}
};

/// As PoseidonTracer, for eight traces.
class LaneTracer {
 public:
  LaneTracer(const std::array<Fr*, kLanes>& traces, std::size_t width) : traces_(traces), first_round_left_(width) {}

  void operator()(std::size_t element, const SBoxLanes& box) {
    if (first_round_left_ == 0) {
      append(box.input);
    } else {
      --first_round_left_;
      if (element == 0) return;
    }
    append(box.square);
    append(box.fourth);
    append(box.output);
  }

 private:
  void append(const Lanes& value) {
    value.store_to([&](std::size_t lane) { return traces_[lane] + written_; });
    ++written_;
  }

  const std::array<Fr*, kLanes>& traces_;
  std::size_t first_round_left_;
  std::size_t written_ = 0;
};

/// PoseidonPermutation for eight states.
template <class Watch>
class LanePermutation {
 public:
  LanePermutation(const LaneConstants& constants, Watch watch) : constants_(constants), watch_(watch) {}

  Lanes operator()(const Fr& tag, const std::array<const Fr*, kLanes>& inputs) {
    start(tag, inputs);
    constexpr std::size_t half = kPoseidonFullRounds / 2;
    for (std::size_t round = 1; round < half; ++round) full_round(constants_.mds);
    full_round(constants_.pre_sparse);
    partial_rounds();
    for (std::size_t round = 1; round < half; ++round) full_round(constants_.mds);
    return last_round();
  }

 private:
  void start(const Fr& tag, const std::array<const Fr*, kLanes>& inputs) {
    key_ = constants_.keys.data();
    state_[0] = (Lanes::all(tag) + *key_++).carried().below_modulus();
    for (std::size_t i = 1; i < constants_.width; ++i) {
      const Lanes input = Lanes::load_from([&](std::size_t lane) { return inputs[lane] + (i - 1); });
      state_[i] = (input + *key_++).carried().below_modulus();
    }
  }

  SBoxLanes powers(const Lanes& x) const {
    SBoxLanes box;
    box.input = x;
    const Lanes scaled = x.shifted_left<kScaleBits>();
    box.square = (scaled * x).carried().below_modulus();
    box.fourth = (box.square.shifted_left<kScaleBits>() * box.square).carried().below_modulus();
    box.output = scaled * box.fourth;
    return box;
  }

  void s_box(std::size_t element) {
    SBoxLanes box = powers(state_[element]);
    box.output = (box.output + *key_++).canonical();
    watch_(element, box);
    state_[element] = box.output;
  }

  void full_round(const LaneConstants::Matrix& matrix) {
    for (std::size_t i = 0; i < constants_.width; ++i) s_box(i);
    Lanes product[kMostWidth];
    for (std::size_t j = 0; j < constants_.width; ++j) product[j] = sum(matrix.data() + j * constants_.width);
    std::copy_n(product, constants_.width, state_);
  }

  void partial_rounds() {
    for (std::size_t round = 0; round < constants_.sparse.size(); ++round) {
      partial_round(constants_.sparse[round]);
      if (round % kReducedEvery == kReducedEvery - 1) reduce();
    }
    reduce();
  }

  void partial_round(const LaneConstants::Sparse& sparse) {
    s_box(0);
    const Lanes first = state_[0];
    state_[0] = products(sparse.column.data()).reduced().canonical();
    for (std::size_t j = 1; j < constants_.width; ++j) state_[j] = (state_[j] + first * sparse.row[j - 1]).carried();
  }

  void reduce() {
    for (std::size_t j = 1; j < constants_.width; ++j) state_[j] = state_[j].canonical();
  }

  Lanes last_round() {
    for (std::size_t i = 0; i < constants_.width; ++i) {
      SBoxLanes box = powers(state_[i]);
      box.output = box.output.carried().below_modulus();
      watch_(i, box);
      state_[i] = box.output;
    }
    return sum(constants_.mds.data() + constants_.width);
  }

  Lanes::ProductSum products(const Lanes::Factor* column) const {
    Lanes::ProductSum sum;
    for (std::size_t i = 0; i < constants_.width; ++i) sum.add(state_[i], column[i]);
    return sum;
  }

  /// Of a canonical state.
  Lanes sum(const Lanes::Factor* column) const { return products(column).reduced().carried().below_modulus(); }

  const LaneConstants& constants_;
  Watch watch_;
  const Lanes::Constant* key_ = nullptr;
  Lanes state_[kMostWidth];
};

/// Calls run(inputs, places) for each eight hashes, places being their numbers; the last is repeated past the end.
template <class Run>
void for_each_eight(const PoseidonKind& kind, std::span<const Fr> inputs, const Run& run) {
  const std::size_t count = inputs.size() / kind.arity();
  for (std::size_t first = 0; first < count; first += kLanes) {
    std::array<const Fr*, kLanes> lane_inputs;
    std::array<std::size_t, kLanes> places;
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      places[lane] = std::min(first + lane, count - 1);
      lane_inputs[lane] = inputs.data() + places[lane] * kind.arity();
    }
    run(lane_inputs, places);
  }
}

}  // namespace

void poseidon_hashes_ifma(const PoseidonKind& kind, std::span<const Fr> inputs, std::span<Fr> hashes) {
  const LaneConstants& constants = LaneConstants::of(kind.constants);
  for_each_eight(kind, inputs, [&](const auto& lane_inputs, const auto& places) {
    const Lanes result = LanePermutation(constants, Unwatched())(kind.tag, lane_inputs);
    result.store_to([&](std::size_t lane) { return &hashes[places[lane]]; });
  });
}

void poseidon_traces_ifma(const PoseidonKind& kind, std::span<const Fr> inputs, std::span<Fr> traces) {
  const LaneConstants& constants = LaneConstants::of(kind.constants);
  const std::size_t size = kind.trace_size();
  for_each_eight(kind, inputs, [&](const auto& lane_inputs, const auto& places) {
    std::array<Fr*, kLanes> lane_traces;
    for (std::size_t lane = 0; lane < kLanes; ++lane) lane_traces[lane] = &traces[places[lane] * size];
    const Lanes result = LanePermutation(constants, LaneTracer(lane_traces, constants.width))(kind.tag, lane_inputs);
    result.store_to([&](std::size_t lane) { return lane_traces[lane] + size - 1; });
  });
}

}  // namespace cuzk::detail

#include "field/ifma_end.h"

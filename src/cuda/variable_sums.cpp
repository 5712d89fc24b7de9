#include "cuda/variable_sums.h"

#include <algorithm>
#include <vector>

#include "base/error.h"
#include "cuda/msm.h"

namespace cuzk::cuda {

std::size_t VariableSums::memory_of_part(const DeviceProperties& device, std::size_t variables, std::size_t elements) {
  constexpr std::size_t kBytesOfBit = 200, kBytesOfDigit = 300, kBytesOfElement = 48;
  constexpr std::size_t kSlack = std::size_t{1} << 28;
  const std::size_t digits = std::max<std::size_t>(elements, msm_tuning(device, elements).windows_at_once * elements);
  return kSlack + kBytesOfElement * elements + std::max(kBytesOfBit * (variables - elements), kBytesOfDigit * digits);
}

void VariableSums::add(unsigned part, const Queue& queue, const TileRoom& room) {
  switch (part) {
    case 0: return add_b_g2(queue, room, b_values(queue, circuit_, witness_));
    case 1: return add_l(queue, room);
    case 2: return add_a(queue, room);
    case 3: return add_b_g1(queue, room, b_values(queue, circuit_, witness_));
    default: throw internal_error("cuda: part {} of a proof's sums; there are {}", part, kParts);
  }
}

void VariableSums::add_all(const Queue& queue, const TileRoom& room) {
  add_l(queue, room);
  add_a(queue, room);
  const QueryValues b = b_values(queue, circuit_, witness_);
  add_b_g1(queue, room, b);
  add_b_g2(queue, room, b);
}

template <class Curve, class Values>
void VariableSums::add_together(const Queue& queue, const Tiling& tiling, const KeyPoints<Curve>& points,
                                std::span<ProofPart> parts, std::span<std::optional<VariableSums>> sums,
                                Point<Curve> groth16::ProofSums::*sum, const Values& values_of) {
  std::vector<QueryValues> values(parts.size());
  std::vector<Point<Curve>> totals(parts.size(), Point<Curve>::infinity());
  for (std::size_t i = 0; i < parts.size(); ++i) parts[i].attempt([&] { values[i] = values_of(*sums[i]); });
  sum_queries<Curve>(queue, points, parts, values, totals, tiling);
  for (std::size_t i = 0; i < parts.size(); ++i)
    if (parts[i].failure == nullptr) sums[i]->sums_.*sum = totals[i];
}

void VariableSums::add_all_together(const Queue& queue, const TileRoom& room, std::span<ProofPart> parts,
                                    std::span<std::optional<VariableSums>> sums, const CudaKey& key) {
  using Sums = groth16::ProofSums;
  const auto l = [&](const VariableSums& of) { return l_values(queue, of.witness_); };
  const auto a = [&](const VariableSums& of) { return a_values(queue, of.circuit_, of.witness_); };
  const auto b = [&](const VariableSums& of) { return b_values(queue, of.circuit_, of.witness_); };
  auto open = spans_of(parts, "msm_l");
  add_together(queue, room.tiling(key.l()), key.l(), parts, sums, &Sums::l, l);
  open = spans_of(parts, "msm_a");
  add_together(queue, room.tiling(key.a()), key.a(), parts, sums, &Sums::a_aux, a);
  open = spans_of(parts, "msm_b_g1");
  add_together(queue, room.tiling(key.b_g1()), key.b_g1(), parts, sums, &Sums::b_g1_aux, b);
  open = spans_of(parts, "msm_b_g2");
  add_together(queue, room.tiling(key.b_g2()), key.b_g2(), parts, sums, &Sums::b_g2_aux, b);
}

Span VariableSums::span(std::string_view name) const {
  control_.check("proof");
  return control_.span(name);
}

void VariableSums::add_l(const Queue& queue, const TileRoom& room) {
  const Span of_l = span("msm_l");
  const QueryValues values = l_values(queue, witness_);
  sums_.l = sum_query(queue, key_.l(), values, room.tiling(key_.l()));
}

void VariableSums::add_a(const Queue& queue, const TileRoom& room) {
  const Span of_a = span("msm_a");
  const QueryValues values = a_values(queue, circuit_, witness_);
  sums_.a_aux = sum_query(queue, key_.a(), values, room.tiling(key_.a()));
}

void VariableSums::add_b_g1(const Queue& queue, const TileRoom& room, const QueryValues& b) {
  const Span of_b = span("msm_b_g1");
  sums_.b_g1_aux = sum_query(queue, key_.b_g1(), b, room.tiling(key_.b_g1()));
}

void VariableSums::add_b_g2(const Queue& queue, const TileRoom& room, const QueryValues& b) {
  const Span of_b = span("msm_b_g2");
  sums_.b_g2_aux = sum_query(queue, key_.b_g2(), b, room.tiling(key_.b_g2()));
}

}  // namespace cuzk::cuda

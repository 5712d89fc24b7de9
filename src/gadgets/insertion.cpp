#include "gadgets/insertion.h"

#include "base/error.h"

namespace cuzk::gadgets {

namespace {

/// The steps below as constraints.
struct Constraints {
  using Number = Signal;
  using Bit = Signal;

  Signal pick(Bit bit, Number chosen, Number other) const { return gadgets::pick(recorder, bit, chosen, other); }
  Bit nor(Bit x, Bit y) const { return multiply(recorder, !x, !y); }
  Bit both(Bit x, Bit y) const { return multiply(recorder, x, y); }

  Recorder& recorder;
};

/// The same steps as values.
struct Values {
  using Number = Fr;
  using Bit = bool;

  Fr pick(bool bit, const Fr& chosen, const Fr& other) const { return builder.alloc_number(bit ? chosen : other); }
  bool nor(bool x, bool y) const { return keep(!x && !y); }
  bool both(bool x, bool y) const { return keep(x && y); }

  bool keep(bool bit) const {
    builder.witness().add_bits(bit ? 1 : 0, 1);
    return bit;
  }

  WitnessBuilder& builder;
};

/// A span of bool cannot be had from a vector of bool; indices have few bits.
using ValueBits = std::array<bool, 32>;

ValueBits value_bits(const BitString& index) {
  ValueBits bits{};
  for (std::size_t i = 0; i < index.size(); ++i) bits[i] = index.chunk(i, 1).values != 0;
  return bits;
}

template <class Steps>
using Numbers = std::vector<typename Steps::Number>;
template <class Steps>
using BitsOf = std::span<const typename Steps::Bit>;
template <class Steps>
using NumbersOf = std::span<const typename Steps::Number>;

template <class Steps>
typename Steps::Number select_by(const Steps& steps, Numbers<Steps> state, BitsOf<Steps> index) {
  for (std::size_t level = index.size(); level-- > 0;) {
    const std::size_t half = std::size_t{1} << level;
    for (std::size_t j = 0; j < half; ++j) state[j] = steps.pick(index[level], state[half + j], state[j]);
  }
  return state[0];
}

template <class Steps>
Numbers<Steps> insert_2(const Steps& steps, const typename Steps::Number& x, BitsOf<Steps> bit, NumbersOf<Steps> y) {
  const auto first = steps.pick(bit[0], y[0], x);
  const auto second = steps.pick(bit[0], x, y[0]);
  return {first, second};
}

/// Each position depends on few cases: position 1 of (x at 0..3 among y0 y1 y2) is y0, x, y1, y1.
template <class Steps>
Numbers<Steps> insert_4(const Steps& steps, const typename Steps::Number& x, BitsOf<Steps> bit, NumbersOf<Steps> y) {
  const auto in_pair = [&](const auto& chosen, const auto& other) { return steps.pick(bit[0], chosen, other); };
  const auto by_pair = [&](const auto& chosen, const auto& other) { return steps.pick(bit[1], chosen, other); };
  Numbers<Steps> result;
  result.push_back(by_pair(y[0], in_pair(y[0], x)));
  result.push_back(by_pair(y[1], in_pair(x, y[0])));
  result.push_back(by_pair(in_pair(y[2], x), y[1]));
  result.push_back(by_pair(in_pair(x, y[2]), y[2]));
  return result;
}

template <class Steps>
Numbers<Steps> insert_8(const Steps& steps, const typename Steps::Number& x, BitsOf<Steps> bit, NumbersOf<Steps> y) {
  const auto neither = steps.nor(bit[0], bit[1]);
  const auto both = steps.both(bit[0], bit[1]);
  const auto low = [&](const auto& chosen, const auto& other) { return steps.pick(bit[0], chosen, other); };
  const auto middle = [&](const auto& chosen, const auto& other) { return steps.pick(bit[1], chosen, other); };
  const auto high = [&](const auto& chosen, const auto& other) { return steps.pick(bit[2], chosen, other); };
  Numbers<Steps> result;
  result.push_back(high(y[0], steps.pick(neither, x, y[0])));
  result.push_back(high(y[1], middle(y[1], low(x, y[0]))));
  result.push_back(high(y[2], middle(low(y[2], x), y[1])));
  result.push_back(high(y[3], steps.pick(both, x, y[2])));
  result.push_back(high(steps.pick(neither, x, y[4]), y[3]));
  result.push_back(high(middle(y[5], low(x, y[4])), y[4]));
  result.push_back(high(middle(low(y[6], x), y[5]), y[5]));
  result.push_back(high(steps.pick(both, x, y[6]), y[6]));
  return result;
}

/// For each position a selection among what stands there in every case.
template <class Steps>
Numbers<Steps> insert_any(const Steps& steps, const typename Steps::Number& x, BitsOf<Steps> bits, NumbersOf<Steps> y) {
  Numbers<Steps> result;
  for (std::size_t position = 0; position <= y.size(); ++position) {
    Numbers<Steps> cases;
    for (std::size_t index = 0; index <= y.size(); ++index)
      cases.push_back(index == position ? x : y[position < index ? position : position - 1]);
    result.push_back(select_by(steps, std::move(cases), bits));
  }
  return result;
}

template <class Steps>
Numbers<Steps> insert_by(const Steps& steps, const typename Steps::Number& x, BitsOf<Steps> bits, NumbersOf<Steps> y) {
  switch (y.size() + 1) {
    case 2: return insert_2(steps, x, bits, y);
    case 4: return insert_4(steps, x, bits, y);
    case 8: return insert_8(steps, x, bits, y);
    default: return insert_any(steps, x, bits, y);
  }
}

void check_sizes(std::size_t numbers, std::size_t bits) {
  if (bits >= std::tuple_size_v<ValueBits> || numbers != std::size_t{1} << bits)
    throw internal_error("an index of {} bits among {} numbers", bits, numbers);
}

/// inputs: the element, the bits of the index, the others.
struct Insert {
  std::size_t bits;

  std::string key() const { return fmt::format("insert into {}", std::size_t{1} << bits); }
  std::vector<Signal> record(Recorder& recorder, std::span<const Signal> in) const {
    return insert(recorder, in[0], in.subspan(1, bits), in.subspan(1 + bits));
  }
};

/// inputs: the bits of the index, the numbers.
struct Select {
  std::size_t bits;

  std::string key() const { return fmt::format("select from {}", std::size_t{1} << bits); }
  std::vector<Signal> record(Recorder& recorder, std::span<const Signal> in) const {
    const auto numbers = in.subspan(bits);
    return {select_by(Constraints{recorder}, {numbers.begin(), numbers.end()}, in.first(bits))};
  }
};

}  // namespace

Signal pick(Recorder& recorder, Signal bit, Signal chosen, Signal other) {
  const Signal result = recorder.alloc();
  recorder.enforce(LinearCombination(other) - chosen, bit, LinearCombination(other) - result);
  return result;
}

std::vector<Signal> insert(Recorder& recorder, Signal element, std::span<const Signal> index,
                           std::span<const Signal> others) {
  check_sizes(others.size() + 1, index.size());
  return insert_by(Constraints{recorder}, element, index, others);
}

std::vector<Signal> insert(Compiler& builder, Signal element, std::span<const Signal> index,
                           std::span<const Signal> others) {
  std::vector<Signal> inputs{element};
  inputs.insert(inputs.end(), index.begin(), index.end());
  inputs.insert(inputs.end(), others.begin(), others.end());
  return builder.place(Insert{index.size()}, inputs);
}

std::vector<Fr> insert(WitnessBuilder& builder, const Fr& element, const BitString& index, std::span<const Fr> others) {
  check_sizes(others.size() + 1, index.size());
  const ValueBits bits = value_bits(index);
  return insert_by(Values{builder}, element, std::span(bits).first(index.size()), others);
}

Signal select(Compiler& builder, std::span<const Signal> from, std::span<const Signal> index) {
  check_sizes(from.size(), index.size());
  std::vector<Signal> inputs(index.begin(), index.end());
  inputs.insert(inputs.end(), from.begin(), from.end());
  return builder.place(Select{index.size()}, inputs)[0];
}

Fr select(WitnessBuilder& builder, std::span<const Fr> from, const BitString& index) {
  check_sizes(from.size(), index.size());
  const ValueBits bits = value_bits(index);
  return select_by(Values{builder}, {from.begin(), from.end()}, std::span(bits).first(index.size()));
}

}  // namespace cuzk::gadgets

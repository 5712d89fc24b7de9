#include "gadgets/boolean.h"

#include "gadgets/vector_cases.h"
#include "support/vectors.h"

namespace cuzk::gadgets {
namespace {

template <class Steps>
BitOf<Steps> apply(const std::string& operation, Steps& steps, const std::vector<BitOf<Steps>>& in) {
  if (operation == "xor") return exclusive_or(steps, in[0], in[1]);
  if (operation == "and") return both(steps, in[0], in[1]);
  if (operation == "ch") return sha256_ch(steps, in[0], in[1], in[2]);
  return sha256_maj(steps, in[0], in[1], in[2]);
}

/// One operation as a gadget; "enforce_equal" has no output.
struct Operation {
  std::string name;

  std::string key() const { return name; }
  std::vector<Signal> record(Recorder& recorder, std::span<const Signal> in) const {
    if (name == "enforce_equal") {
      enforce_equal_bits(recorder, in[0], in[1]);
      return {};
    }
    BooleanConstraints steps(recorder);
    return {apply(name, steps, {in.begin(), in.end()})};
  }
};

/// The inputs of a case by their forms: is, not, const.
struct Forms {
  std::vector<std::pair<std::string, bool>> list;  // form, and the constant

  explicit Forms(const nlohmann::json& in) {
    for (const char* role : {"a", "b", "c"}) {
      if (in.contains(role)) list.emplace_back(in[role][0].get<std::string>(), in[role][1].get<int>() != 0);
    }
  }

  std::vector<Signal> signals(Compiler& builder) const {
    std::vector<Signal> result;
    for (const auto& [form, constant] : list) {
      if (form == "const") {
        result.push_back(Signal::constant(constant));
      } else {
        const Signal bit = alloc_bits(builder, 0, 1)[0];
        result.push_back(form == "not" ? !bit : bit);
      }
    }
    return result;
  }

  std::vector<BitValue> values(WitnessBuilder& builder, std::span<const Fr> aux) const {
    std::vector<BitValue> result;
    std::size_t next = 0;
    for (const auto& [form, constant] : list) {
      if (form == "const") {
        result.push_back(BitValue::constant(constant));
      } else {
        const bool value = aux[next++].is_one();
        alloc_bits(builder, value ? 1 : 0, 1);
        result.push_back(form == "not" ? !BitValue::plain(value) : BitValue::plain(value));
      }
    }
    return result;
  }
};

nlohmann::json json_of(Signal signal) {
  if (signal.is_constant()) return {"const", signal.is_one() ? 1 : 0};
  return {signal.is_negated() ? "not" : "is", signal.variable().index()};
}

struct CaseSteps {
  const nlohmann::json& entry;
  std::string operation;

  void operator()(Compiler& builder, std::span<const Fr>) const {
    const std::vector<Signal> out = builder.place(Operation{operation}, Forms(entry["in"]).signals(builder));
    if (!out.empty()) {
      EXPECT_EQ(json_of(out[0]), entry["out"]["bit"]);
    }
  }
  void operator()(WitnessBuilder& builder, std::span<const Fr> aux) const {
    const std::vector<BitValue> in = Forms(entry["in"]).values(builder, aux);
    if (operation == "enforce_equal") return;
    BitVector bits;
    BooleanValues steps(bits);
    const BitValue out = apply(operation, steps, in);
    builder.witness().add_bits(bits);
    EXPECT_EQ(out.is_constant(), entry["out"]["bit"][0] == "const");
    EXPECT_EQ(out.is_negated(), entry["out"]["bit"][0] == "not");
  }
};

/// All cases of a file whose names begin so.
void expect_cases(const std::string& file, const std::string& prefix, const std::string& operation) {
  const auto json = test::vector_json(file);
  std::size_t count = 0;
  for (const auto& entry : json["cases"]) {
    const auto name = entry["name"].get<std::string>();
    if (!name.starts_with(prefix)) continue;
    ++count;
    expect_vector(file, name, CaseSteps{entry, operation});
  }
  EXPECT_GT(count, 0u) << prefix;
}

TEST(BooleanGadget, AllocatedBitsAreTheVectors) {
  for (const char* name : {"bit_alloc_0", "bit_alloc_1"}) {
    expect_vector("gadgets/boolean.json", name,
                  [](auto& builder, std::span<const Fr> aux) { alloc_bits(builder, aux[0].is_one() ? 1 : 0, 1); });
  }
}

TEST(BooleanGadget, XorOfAllFormsIsTheVectors) {
  expect_cases("gadgets/boolean.json", "allocated_xor", "xor");
  expect_cases("gadgets/boolean.json", "boolean_xor_", "xor");
}

TEST(BooleanGadget, AndOfAllFormsIsTheVectors) { expect_cases("gadgets/boolean.json", "boolean_and_", "and"); }

TEST(BooleanGadget, EqualityOfAllFormsIsTheVectors) {
  expect_cases("gadgets/boolean.json", "boolean_enforce_equal_", "enforce_equal");
}

TEST(BooleanGadget, ChoiceOfAllFormsIsTheVectors) { expect_cases("gadgets/boolean_sha256.json", "sha256_ch_", "ch"); }

TEST(BooleanGadget, MajorityOfAllFormsIsTheVectors) {
  expect_cases("gadgets/boolean_sha256.json", "sha256_maj_", "maj");
}

TEST(BooleanGadget, DifferentConstantsCannotBeEqual) {
  Recorder recorder("", 0);
  EXPECT_THROW(enforce_equal_bits(recorder, Signal::constant(true), Signal::constant(false)), std::runtime_error);
}

}  // namespace
}  // namespace cuzk::gadgets

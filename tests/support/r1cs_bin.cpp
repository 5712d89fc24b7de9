#include "support/r1cs_bin.h"

#include <algorithm>

#include "base/error.h"
#include "base/hex.h"
#include "base/thread_pool.h"
#include "r1cs/expansion.h"
#include "support/vectors.h"

namespace cuzk::test {
namespace {

using r1cs::Term;
using r1cs::Variable;

class BinaryReader {
 public:
  BinaryReader(std::vector<u8> bytes, std::string file) : bytes_(std::move(bytes)), file_(std::move(file)) {}

  std::span<const u8> take(std::size_t count) {
    if (count > bytes_.size() - position_) throw invalid_input("{} ends at byte {}", file_, bytes_.size());
    position_ += count;
    return std::span(bytes_).subspan(position_ - count, count);
  }
  u32 read_u32() {
    const auto bytes = take(4);
    return static_cast<u32>(bytes[0]) | static_cast<u32>(bytes[1]) << 8 | static_cast<u32>(bytes[2]) << 16 |
           static_cast<u32>(bytes[3]) << 24;
  }
  std::vector<u32> read_u32s(std::size_t count) {
    std::vector<u32> values(count);
    for (u32& value : values) value = read_u32();
    return values;
  }
  Fr read_fr() {
    const auto value = Fr::from_bytes(take(32).first<32>());
    if (!value) throw invalid_input("{}: a value that is not canonical before byte {}", file_, position_);
    return *value;
  }
  std::vector<Fr> read_frs(std::size_t count) {
    std::vector<Fr> values(count);
    for (Fr& value : values) value = read_fr();
    return values;
  }

 private:
  std::vector<u8> bytes_;
  std::string file_;
  std::size_t position_ = 0;
};

Fr fr_of_hex(const std::string& hex) {
  const auto bytes = from_hex(hex);
  return *Fr::from_bytes(std::span<const u8>(bytes).first<32>());
}

std::vector<Term> terms_of_json(const nlohmann::json& list, const std::vector<Fr>& coefficients) {
  std::vector<Term> terms;
  for (const auto& term : list) {
    const u32 index = term[1].get<u32>();
    terms.push_back({term[0].get<int>() == 0 ? Variable::input(index) : Variable::aux(index),
                     coefficients.at(term[2].get<std::size_t>())});
  }
  return terms;
}

R1cs r1cs_of_json(const nlohmann::json& json) {
  R1cs system{json["num_inputs"].get<u32>(), json["num_aux"].get<u32>(), {}, {}, {}};
  std::vector<Fr> coefficients;
  for (const auto& coefficient : json["coeffs"]) coefficients.push_back(fr_of_hex(coefficient.get<std::string>()));
  for (const auto& row : json["constraints"]) {
    system.constraints.push_back({terms_of_json(row[0], coefficients), terms_of_json(row[1], coefficients),
                                  terms_of_json(row[2], coefficients), row[3].get<std::string>()});
  }
  for (const auto& entry : json["inputs"]) system.input_values.push_back(fr_of_hex(entry[0].get<std::string>()));
  for (const auto& entry : json["aux"]) system.aux_values.push_back(fr_of_hex(entry[0].get<std::string>()));
  return system;
}

std::string show(std::span<const Term> terms) {
  std::string text;
  for (const Term& term : terms) {
    text += fmt::format(" {}{} * {}", term.variable.is_input() ? "input " : "aux ", term.variable.index(),
                        to_hex(term.coefficient.to_bytes()));
    if (text.size() > 600) return text + " ...";
  }
  return "[" + text + " ]";
}

bool equal(std::span<const Term> x, std::span<const Term> y) {
  return std::equal(x.begin(), x.end(), y.begin(), y.end(), [](const Term& s, const Term& t) {
    return s.variable == t.variable && s.coefficient == t.coefficient;
  });
}

/// Compares the constraints one after the other and keeps the first difference.
class Comparison {
 public:
  Comparison(const r1cs::Circuit& circuit, const R1cs& expected) : circuit_(circuit), expected_(expected) {}

  std::string first_difference() {
    circuit_.for_each_constraint([&](const r1cs::Constraint& found) { compare(found); });
    return difference_;
  }

 private:
  void compare(const r1cs::Constraint& found) {
    const std::size_t j = count_++;
    if (!difference_.empty() || j >= expected_.constraints.size()) return;
    const R1csConstraint& expected = expected_.constraints[j];
    if (equal(found.a, expected.a) && equal(found.b, expected.b) && equal(found.c, expected.c)) return;
    difference_ = fmt::format("constraint {} ({}; expected {}):\n{}\n * {}\n = {}\nexpected:\n{}\n * {}\n = {}", j,
                              circuit_.path(j), expected.name, show(found.a), show(found.b), show(found.c),
                              show(expected.a), show(expected.b), show(expected.c));
  }

  const r1cs::Circuit& circuit_;
  const R1cs& expected_;
  std::size_t count_ = 0;
  std::string difference_;
};

}  // namespace

R1cs read_r1cs(const std::string& file) {
  BinaryReader reader(vector_bytes(file), file);
  const auto magic = reader.take(8);
  if (std::string(magic.begin(), magic.end()) != "R1CSBIN1") throw invalid_input("{}: not an R1CSBIN1 file", file);
  const auto head = reader.read_u32s(6);
  const u32 rows = head[2], terms = head[3];
  const auto coefficients = reader.read_frs(head[4]);
  const auto lengths = reader.read_u32s(std::size_t{3} * rows);
  const auto kind_bytes = reader.take(terms);
  const std::vector<u8> kinds(kind_bytes.begin(), kind_bytes.end());
  const auto numbers = reader.read_u32s(terms);
  const auto indices = reader.read_u32s(terms);

  R1cs system{head[0], head[1], {}, {}, {}};
  system.constraints.resize(rows);
  std::size_t term = 0;
  u32 last_aux = 0;
  const auto read_side = [&](u32 count) {
    std::vector<Term> side;
    for (u32 i = 0; i < count; ++i, ++term) {
      if (kinds[term] == 1) last_aux += indices[term];  // a signed difference, modulo 2^32
      side.push_back({kinds[term] == 1 ? Variable::aux(last_aux) : Variable::input(indices[term]),
                      coefficients.at(numbers[term])});
    }
    return side;
  };
  for (u32 j = 0; j < rows; ++j) {
    system.constraints[j].a = read_side(lengths[3 * j]);
    system.constraints[j].b = read_side(lengths[3 * j + 1]);
    system.constraints[j].c = read_side(lengths[3 * j + 2]);
  }
  if ((head[5] & 1) != 0) {
    system.input_values = reader.read_frs(system.inputs);
    system.aux_values = reader.read_frs(system.aux);
  }
  return system;
}

nlohmann::json gadget_case(const std::string& file, const std::string& name) {
  const auto json = vector_json(file);
  for (const auto& entry : json["cases"]) {
    if (entry["name"] == name) return entry;
  }
  throw Error(Code::not_found, fmt::format("{}: no case {}", file, name));
}

R1cs read_gadget_case(const std::string& file, const std::string& name) {
  const auto json = gadget_case(file, name);
  if (json.contains("binary")) return read_r1cs("gadgets/" + json["binary"].get<std::string>());
  return r1cs_of_json(json);
}

testing::AssertionResult same_constraints(const r1cs::Circuit& circuit, const R1cs& expected) {
  const std::string difference = Comparison(circuit, expected).first_difference();
  if (!difference.empty()) return testing::AssertionFailure() << difference;
  if (circuit.inputs() != expected.inputs || circuit.aux() != expected.aux ||
      circuit.gadget_constraints() != expected.constraints.size()) {
    return testing::AssertionFailure() << circuit.inputs() << " inputs, " << circuit.aux() << " aux, "
                                       << circuit.gadget_constraints() << " constraints; expected " << expected.inputs
                                       << ", " << expected.aux << ", " << expected.constraints.size();
  }
  return testing::AssertionSuccess();
}

testing::AssertionResult same_values(const r1cs::Witness& packed, const R1cs& expected) {
  const r1cs::Witness witness = r1cs::expanded(packed, ThreadPool::shared());
  const auto inputs = witness.inputs();
  for (std::size_t i = 0; i < std::min(inputs.size(), expected.input_values.size()); ++i) {
    if (inputs[i] != expected.input_values[i]) return testing::AssertionFailure() << "input " << i << " differs";
  }
  for (u32 i = 0; i < std::min<std::size_t>(witness.aux_count(), expected.aux_values.size()); ++i) {
    if (witness.aux(i) != expected.aux_values[i]) return testing::AssertionFailure() << "aux " << i << " differs";
  }
  if (inputs.size() != expected.inputs || witness.aux_count() != expected.aux) {
    return testing::AssertionFailure() << inputs.size() << " inputs, " << witness.aux_count() << " aux; expected "
                                       << expected.inputs << ", " << expected.aux;
  }
  return testing::AssertionSuccess();
}

std::optional<std::string> first_unsatisfied(const r1cs::Circuit& circuit, const r1cs::Witness& witness) {
  std::vector<Fr> a(circuit.constraints()), b(circuit.constraints()), c(circuit.constraints());
  circuit.evaluate(witness, a, b, c, ThreadPool::shared());
  for (u64 j = 0; j < circuit.constraints(); ++j) {
    if (a[j] * b[j] != c[j]) return circuit.path(j);
  }
  return std::nullopt;
}

}  // namespace cuzk::test

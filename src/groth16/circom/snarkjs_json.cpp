#include "groth16/circom/snarkjs_json.h"

#include <simdjson.h>

#include <algorithm>
#include <cctype>

#include "base/error.h"
#include "curve/encoding.h"
#include "curve/subgroup.h"
#include "groth16/circom/decimal.h"
#include "groth16/key_rules.h"

namespace cuzk::groth16 {
namespace {

using simdjson::dom::element;

/// A member of a document, and the words that lead to it.
struct Place {
  element value;
  std::string name;

  Place member(const char* key) const {
    element found;
    if (value[key].get(found) != simdjson::SUCCESS) throw invalid_input("{}: there is no \"{}\"", name, key);
    return {found, fmt::format("{}: {}", name, key)};
  }

  std::vector<Place> items() const {
    simdjson::dom::array array;
    if (value.get(array) != simdjson::SUCCESS) throw invalid_input("{}: is no array", name);
    std::vector<Place> places;
    for (const element item : array) places.push_back({item, fmt::format("{}[{}]", name, places.size())});
    return places;
  }
  std::vector<Place> items(std::size_t count) const {
    auto places = items();
    if (places.size() != count) throw invalid_input("{}: {} items, expected {}", name, places.size(), count);
    return places;
  }

  std::string_view text() const {
    std::string_view text;
    if (value.get(text) != simdjson::SUCCESS) throw invalid_input("{}: is no string", name);
    return text;
  }

  template <class Field>
  Field number() const {
    const auto number = from_decimal<Field>(text());
    if (!number) throw invalid_input("{}: expected decimal digits of a number below the field's modulus", name);
    return *number;
  }

  void expect(std::string_view digits) const {
    if (text() != digits) throw invalid_input("{}: expected \"{}\"", name, digits);
  }
};

/// Parses the text and hands its root to read().
template <class Read>
auto read_document(std::string_view json, const std::string& source, Read&& read) {
  if (json.size() > kLargestSnarkjsJson) {
    throw invalid_input("{}: {} bytes, expected at most {}", source, json.size(), kLargestSnarkjsJson);
  }
  simdjson::dom::parser parser;
  element root;
  if (const auto error = parser.parse(simdjson::padded_string(json)).get(root); error != simdjson::SUCCESS) {
    throw invalid_input("{}: is no JSON: {}", source, simdjson::error_message(error));
  }
  return read(Place{root, source});
}

/// Lower-case letters and digits of a name: snarkjs takes "BLS12-381" and "bls12381" for the same.
std::string plain_name(std::string_view name) {
  std::string plain;
  for (const char c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
      plain.push_back(static_cast<char>(std::tolower(static_cast<unsigned char>(c))));
    }
  }
  return plain;
}

void check_kind(const Place& root) {
  root.member("protocol").expect("groth16");
  const Place curve = root.member("curve");
  if (plain_name(curve.text()) != "bls12381") throw invalid_input("{}: expected \"bls12381\"", curve.name);
}

/// x = y = 0 is infinity elsewhere in this program; here it is two numbers that are no point.
template <class Affine>
Affine checked(const Affine& point, const std::string& name) {
  if (point.is_infinity() || !point.is_on_curve()) throw invalid_input("{}: the point is not on the curve", name);
  if (!is_in_subgroup(point)) throw invalid_input("{}: the point is not in the subgroup of order r", name);
  return point;
}

Fp2 read_fp2(const Place& place) {
  const auto parts = place.items(2);
  return {parts[0].number<Fp>(), parts[1].number<Fp>()};
}

/// The third coordinate is that of an affine point: 0 would be infinity.
G1Affine read_g1(const Place& place) {
  const auto parts = place.items(3);
  parts[2].expect("1");
  return checked(G1Affine{parts[0].number<Fp>(), parts[1].number<Fp>()}, place.name);
}

G2Affine read_g2(const Place& place) {
  const auto parts = place.items(3);
  const auto third = parts[2].items(2);
  third[0].expect("1");
  third[1].expect("0");
  return checked(G2Affine{read_fp2(parts[0]), read_fp2(parts[1])}, place.name);
}

void check_count(const Place& root, std::size_t points) {
  const Place place = root.member("nPublic");
  u64 publics = 0;
  if (place.value.get(publics) != simdjson::SUCCESS) throw invalid_input("{}: is no number", place.name);
  if (points == 0 || publics != points - 1) {
    throw invalid_input("{}: {}, expected one less than the {} points of IC", place.name, publics, points);
  }
}

std::string quoted(const auto& number) { return '"' + to_decimal(number) + '"'; }
std::string list(std::string_view a, std::string_view b) { return fmt::format("[{},{}]", a, b); }
std::string list(const Fp2& x) { return list(quoted(x.c0), quoted(x.c1)); }
std::string text_of(const G1Affine& p) { return fmt::format(R"([{},{},"1"])", quoted(p.x), quoted(p.y)); }
std::string text_of(const G2Affine& p) { return fmt::format(R"([{},{},["1","0"]])", list(p.x), list(p.y)); }

/// Items one a line, as snarkjs has them.
std::string lines(const auto& items, const auto& text) {
  std::vector<std::string> texts;
  texts.reserve(items.size());
  for (const auto& item : items) texts.push_back(text(item));
  return fmt::format("[\n {}\n]", fmt::join(texts, ",\n "));
}

}  // namespace

Proof proof_from_snarkjs(std::string_view json, const std::string& source) {
  return read_document(json, source, [](const Place& root) {
    check_kind(root);
    return Proof{
        .a = read_g1(root.member("pi_a")), .b = read_g2(root.member("pi_b")), .c = read_g1(root.member("pi_c"))};
  });
}

VerifyingKey verifying_key_from_snarkjs(std::string_view json, const std::string& source) {
  return read_document(json, source, [&](const Place& root) {
    check_kind(root);
    VerifyingKey key{.alpha_g1 = read_g1(root.member("vk_alpha_1")),
                     .beta_g1 = G1Affine::infinity(),
                     .beta_g2 = read_g2(root.member("vk_beta_2")),
                     .gamma_g2 = read_g2(root.member("vk_gamma_2")),
                     .delta_g1 = G1Affine::infinity(),
                     .delta_g2 = read_g2(root.member("vk_delta_2")),
                     .ic = {}};
    for (const Place& point : root.member("IC").items()) key.ic.push_back(read_g1(point));
    check_count(root, key.ic.size());
    check_soundness(key, source);
    return key;
  });
}

std::vector<Fr> public_inputs_from_snarkjs(std::string_view json, const std::string& source) {
  return read_document(json, source, [](const Place& root) {
    std::vector<Fr> inputs;
    for (const Place& item : root.items()) inputs.push_back(item.number<Fr>());
    return inputs;
  });
}

std::string to_snarkjs(const Proof& proof) {
  return fmt::format(
      "{{\n \"pi_a\": {},\n \"pi_b\": {},\n \"pi_c\": {},\n \"protocol\": \"groth16\",\n \"curve\": \"bls12381\"\n}}\n",
      text_of(proof.a), text_of(proof.b), text_of(proof.c));
}

std::string to_snarkjs(const VerifyingKey& key) {
  return fmt::format(
      "{{\n \"protocol\": \"groth16\",\n \"curve\": \"bls12381\",\n \"nPublic\": {},\n \"vk_alpha_1\": {},\n "
      "\"vk_beta_2\": "
      "{},\n \"vk_gamma_2\": {},\n \"vk_delta_2\": {},\n \"IC\": {}\n}}\n",
      key.public_inputs(), text_of(key.alpha_g1), text_of(key.beta_g2), text_of(key.gamma_g2), text_of(key.delta_g2),
      lines(key.ic, [](const G1Affine& point) { return text_of(point); }));
}

std::string to_snarkjs(std::span<const Fr> public_inputs) {
  return lines(public_inputs, [](const Fr& input) { return quoted(input); }) + "\n";
}

}  // namespace cuzk::groth16

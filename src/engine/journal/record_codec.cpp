#include "engine/journal/record_codec.h"

#include <bit>

#include "base/error.h"

namespace cuzk::engine {
namespace {

constexpr u64 kInputMark = 0x31304e494b5a5543;  // "CUZKIN01"

std::span<const u8> bytes_of(const std::string& text) {
  return {reinterpret_cast<const u8*>(text.data()), text.size()};
}

void append(std::vector<u8>& bytes, u64 value) {
  for (unsigned i = 0; i < 8; ++i) bytes.push_back(static_cast<u8>(value >> (8 * i)));
}

void append(std::vector<u8>& bytes, std::string_view text) {
  append(bytes, u64{text.size()});
  bytes.insert(bytes.end(), text.begin(), text.end());
}

/// Reads from the front and never past the end.
class Reader {
 public:
  Reader(std::span<const u8> bytes, std::string_view source) : bytes_(bytes), source_(source) {}

  u64 number() {
    const auto bytes = take(8);
    u64 value = 0;
    for (unsigned i = 0; i < 8; ++i) value |= u64{bytes[i]} << (8 * i);
    return value;
  }

  std::string text(u64 length) {
    const auto bytes = take(length);
    return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }

  /// A number of things of at least eight bytes each.
  std::size_t count() {
    const u64 value = number();
    if (value > bytes_.size() / 8) throw damaged("{} entries in {} bytes", value, bytes_.size());
    return static_cast<std::size_t>(value);
  }

  void expect_end() const {
    if (!bytes_.empty()) throw damaged("{} bytes after the end", bytes_.size());
  }

  template <class... Args>
  Error damaged(fmt::format_string<Args...> format, Args&&... args) const {
    return invalid_input("{}: damaged: {}", source_, fmt::format(format, std::forward<Args>(args)...));
  }

 private:
  std::span<const u8> take(u64 length) {
    if (length > bytes_.size()) throw damaged("{} bytes expected, {} are left", length, bytes_.size());
    const auto result = bytes_.first(static_cast<std::size_t>(length));
    bytes_ = bytes_.subspan(result.size());
    return result;
  }

  std::span<const u8> bytes_;
  std::string_view source_;
};

template <class Input>  // const or not
auto strings_of(Input& input) {
  std::vector<decltype(&input.vanilla_proof)> result{&input.vanilla_proof};
  for (auto& proof : input.vanilla_proofs) result.push_back(&proof);
  result.insert(result.end(), {&input.randomness, &input.comm_r_old, &input.comm_r_new, &input.comm_d_new});
  return result;
}

}  // namespace

EncodedInput encode_input(const ProofInput& input) {
  EncodedInput result;
  for (const u64 number : {kInputMark, input.sector_size, input.registered_proof, input.sector_number, input.miner_id,
                           u64{input.partition_index}, u64{input.vanilla_proofs.size()}}) {
    append(result.head, number);
  }
  const auto strings = strings_of(input);
  for (const auto* text : strings) append(result.head, u64{text->size()});
  result.pieces.push_back(result.head);
  for (const auto* text : strings) result.pieces.push_back(bytes_of(*text));
  for (const auto& piece : result.pieces) result.bytes += piece.size();
  return result;
}

ProofInput decode_input(Kind kind, std::span<const u8> bytes, std::string_view source) {
  Reader reader(bytes, source);
  if (const u64 mark = reader.number(); mark != kInputMark) throw reader.damaged("begins with {:#x}", mark);
  ProofInput input;
  input.kind = kind;
  for (u64* number : {&input.sector_size, &input.registered_proof, &input.sector_number, &input.miner_id}) {
    *number = reader.number();
  }
  const u64 partition = reader.number();
  if (partition > UINT32_MAX) throw reader.damaged("partition {}", partition);
  input.partition_index = static_cast<u32>(partition);
  input.vanilla_proofs.resize(reader.count());
  const auto strings = strings_of(input);
  std::vector<u64> lengths(strings.size());
  for (u64& length : lengths) length = reader.number();
  for (std::size_t i = 0; i < strings.size(); ++i) *strings[i] = reader.text(lengths[i]);
  reader.expect_end();
  return input;
}

std::vector<u8> encode_stages(const Stages& stages) {
  std::vector<u8> result;
  append(result, u64{stages.size()});
  for (const auto& [name, milliseconds] : stages) {
    append(result, std::string_view(name));
    append(result, std::bit_cast<u64>(milliseconds));
  }
  return result;
}

Stages decode_stages(std::span<const u8> bytes, std::string_view source) {
  Reader reader(bytes, source);
  Stages result(reader.count());
  for (auto& [name, milliseconds] : result) {
    name = reader.text(reader.number());
    milliseconds = std::bit_cast<double>(reader.number());
  }
  reader.expect_end();
  return result;
}

}  // namespace cuzk::engine

#include "filecoin/json_reader.h"

#include <simdjson.h>

#include <algorithm>
#include <cstring>

#include "filecoin/byte_numbers.h"

#ifdef __AVX2__
#include <immintrin.h>
#endif

namespace cuzk::filecoin {
namespace {

bool is_space(u8 byte) { return byte == ' ' || byte == '\n' || byte == '\r' || byte == '\t'; }
bool is_digit(u8 byte) { return byte >= '0' && byte <= '9'; }

/// How many bytes go before the first that is no plain character of a string: a quote, a backslash, a control character.
/// `ascii` becomes false where one of them is not ASCII.
std::size_t plain_length(std::span<const u8> text, bool& ascii) {
  std::size_t length = 0;
#ifdef __AVX2__
  const __m256i quote = _mm256_set1_epi8('"'), backslash = _mm256_set1_epi8('\\'), control = _mm256_set1_epi8(0x1f);
  for (; length + 32 <= text.size(); length += 32) {
    const __m256i bytes = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(text.data() + length));
    const __m256i is_control = _mm256_cmpeq_epi8(_mm256_min_epu8(bytes, control), bytes);
    const __m256i is_mark = _mm256_or_si256(_mm256_cmpeq_epi8(bytes, quote), _mm256_cmpeq_epi8(bytes, backslash));
    if (_mm256_movemask_epi8(_mm256_or_si256(is_control, is_mark)) != 0) break;
    if (_mm256_movemask_epi8(bytes) != 0) ascii = false;
  }
#endif
  for (; length < text.size(); ++length) {
    const u8 byte = text[length];
    if (byte == '"' || byte == '\\' || byte < 0x20) break;
    if (byte >= 0x80) ascii = false;
  }
  return length;
}

}  // namespace

JsonReader::JsonReader(std::string_view text, std::string name)
    : name_(std::move(name)),
      cursor_(reinterpret_cast<const u8*>(text.data())),
      end_(cursor_ + text.size()),
      offset_(text.size()) {}

JsonReader::JsonReader(ByteSource source, std::string name, std::size_t limit)
    : name_(std::move(name)), source_(std::move(source)), window_(std::min(limit, kWindowBytes - 64) + 64) {
  cursor_ = end_ = window_.data();
}

std::string JsonReader::place() const {
  std::string text;
  for (const NamedPlace& place : places_) {
    if (!text.empty()) text += ' ';
    text += place.name;
    if (place.index != kNoIndex) text += fmt::format(" {}", place.index);
  }
  return text;
}

void JsonReader::fail(std::string_view fault) {
  const std::string where = place();
  throw invalid_input("{}: cannot be read: {}{}{} (at byte {})", name_, where, where.empty() ? "" : ": ", fault,
                      offset_ - static_cast<std::size_t>(end_ - cursor_));
}

void JsonReader::invalid(std::string_view fault) { throw invalid_input("{}: {}: {}", name_, place(), fault); }

bool JsonReader::refill() {
  if (!source_) return false;
  const std::size_t kept = left();
  if (kept + 64 > window_.size()) return false;
  std::memmove(window_.data(), cursor_, kept);
  const std::size_t count = source_(std::span(window_).subspan(kept));
  if (count == 0) source_ = nullptr;
  cursor_ = window_.data();
  end_ = cursor_ + kept + count;
  offset_ += count;
  return count != 0;
}

bool JsonReader::refill_to(std::size_t count) {
  while (left() < count)
    if (!refill()) return false;
  return true;
}

u8 JsonReader::peek_token() {
  while (is_space(peek())) ++cursor_;
  return peek();
}

void JsonReader::expect(char token) {
  if (peek_token() != static_cast<u8>(token)) fail(fmt::format("expected '{}'", token));
  ++cursor_;
}

bool JsonReader::next_item(char close, std::size_t count) {
  const u8 token = peek_token();
  if (token == static_cast<u8>(close)) {
    ++cursor_;
    return false;
  }
  if (count != 0) expect(',');
  if (count != 0 && peek_token() == static_cast<u8>(close)) fail("a comma at the end");
  return true;
}

std::string_view JsonReader::key() {
  const std::string_view text = string();
  if (peek_token() != ':') {
    fail("expected ':'");
  }
  ++cursor_;
  return text;
}

std::string_view JsonReader::string() {
  expect('"');
  std::size_t length = 0;
  bool ascii = true;
  while (true) {
    const std::span<const u8> left(cursor_, end_);
    length += plain_length(left.subspan(length), ascii);
    if (length < left.size()) break;
    if (!refill()) fail(source_ ? "a string that is too long" : "a string without an end");
  }
  if (cursor_[length] == '\\') return escaped_string(length);
  if (cursor_[length] != '"') fail("a control character in a string");
  const std::string_view text(reinterpret_cast<const char*>(cursor_), length);
  if (!ascii && !simdjson::validate_utf8(text)) fail("a string is not UTF-8");
  cursor_ += length + 1;
  if (!source_ && window_.empty()) return text;
  return scratch_ = text;  // what is read next may move the window
}

std::string_view JsonReader::escaped_string(std::size_t length) {
  scratch_.assign(reinterpret_cast<const char*>(cursor_), length);
  cursor_ += length;
  while (true) {
    if (!ensure(1)) fail("a string without an end");
    const u8 byte = *cursor_++;
    if (byte == '"') break;
    if (byte < 0x20) fail("a control character in a string");
    if (byte == '\\') {
      append_escape();
    } else {
      scratch_ += static_cast<char>(byte);
    }
    if (!window_.empty() && scratch_.size() > kWindowBytes) fail("a string that is too long");
  }
  if (!simdjson::validate_utf8(scratch_)) fail("a string is not UTF-8");
  return scratch_;
}

std::optional<std::string_view> JsonReader::plain_string() {
  if (source_ || !window_.empty() || peek_token() != '"') return std::nullopt;
  const std::span<const u8> rest(cursor_ + 1, end_);
  bool ascii = true;
  const std::size_t length = plain_length(rest, ascii);
  if (length < rest.size() && rest[length] == '\\') return std::nullopt;
  if (length == rest.size() || rest[length] != '"' || !ascii) return string();  // checks the rest, and names the fault
  cursor_ += length + 2;
  return std::string_view(reinterpret_cast<const char*>(rest.data()), length);
}

std::optional<std::string_view> JsonReader::guessed_string() {
  constexpr std::size_t kTail = 4096;
  if (source_ || !window_.empty() || peek_token() != '"') return std::nullopt;
  const u8* const begin = cursor_ + 1;
  const u8* const quote = std::find(end_ - std::min<std::size_t>(left() - 1, kTail), end_, u8{'"'});
  if (quote == end_) return std::nullopt;
  cursor_ = quote + 1;
  return std::string_view(reinterpret_cast<const char*>(begin), static_cast<std::size_t>(quote - begin));
}

std::size_t JsonReader::string_piece(std::span<u8> into) {
  if (!in_pieces_) expect('"');
  in_pieces_ = true;
  scratch_.clear();
  while (scratch_.size() + 4 <= into.size()) {  // a character may have 4 bytes
    const u8 byte = peek();
    if (byte == '"' && !scratch_.empty()) break;
    if (byte < 0x20) fail(ensure(1) ? "a control character in a string" : "a string without an end");
    ++cursor_;
    if (byte == '"') {
      in_pieces_ = false;
      break;
    }
    if (byte == '\\') {
      append_escape();
    } else {
      scratch_ += static_cast<char>(byte);
    }
  }
  std::ranges::copy(scratch_, into.begin());
  return scratch_.size();
}

void JsonReader::append_escape() {
  constexpr std::string_view kFrom = "\"\\/bfnrt", kTo = "\"\\/\b\f\n\r\t";
  const u8 byte = peek();
  if (byte != 'u') {
    const std::size_t found = kFrom.find(static_cast<char>(byte));
    if (found == kFrom.npos) fail("an escape that does not exist");
    ++cursor_;
    scratch_ += kTo[found];
    return;
  }
  ++cursor_;
  u32 code = hex_digits();
  if (code >= 0xd800 && code < 0xdc00) {
    if (!ensure(2) || cursor_[0] != '\\' || cursor_[1] != 'u') fail("half of a surrogate pair");
    cursor_ += 2;
    const u32 low = hex_digits();
    if (low < 0xdc00 || low > 0xdfff) fail("half of a surrogate pair");
    code = 0x10000 + ((code - 0xd800) << 10 | (low - 0xdc00));
  } else if (code >= 0xdc00 && code < 0xe000) {
    fail("half of a surrogate pair");
  }
  append_utf8(code);
}

u32 JsonReader::hex_digits() {
  constexpr std::string_view kDigits = "0123456789abcdef";
  if (!ensure(4)) fail("a string without an end");
  u32 code = 0;
  for (int i = 0; i < 4; ++i) {
    const char lower = static_cast<char>(cursor_[i] | (cursor_[i] >= 'A' ? 0x20 : 0));
    const std::size_t digit = kDigits.find(lower);
    if (digit == kDigits.npos) fail("an escape that does not exist");
    code = code << 4 | static_cast<u32>(digit);
  }
  cursor_ += 4;
  return code;
}

void JsonReader::append_utf8(u32 code) {
  const auto add = [this](u32 byte) { scratch_ += static_cast<char>(byte); };
  if (code < 0x80) return add(code);
  if (code < 0x800) return add(0xc0 | code >> 6), add(0x80 | (code & 0x3f));
  if (code < 0x10000) return add(0xe0 | code >> 12), add(0x80 | (code >> 6 & 0x3f)), add(0x80 | (code & 0x3f));
  add(0xf0 | code >> 18), add(0x80 | (code >> 12 & 0x3f)), add(0x80 | (code >> 6 & 0x3f)), add(0x80 | (code & 0x3f));
}

u64 JsonReader::number(u64 limit) {
  if (!is_digit(peek_token())) fail("expected a whole number that is not negative");
  u64 value = *cursor_++ - u64{'0'};
  if (value == 0 && is_digit(peek())) fail("a number with a leading zero");
  while (is_digit(peek())) {
    const u64 digit = *cursor_++ - u64{'0'};
    if (value > (~u64{0} - digit) / 10) fail("a number that is too large");
    value = 10 * value + digit;
  }
  const u8 next = peek();
  if (next == '.' || next == 'e' || next == 'E') fail("expected a whole number");
  if (value > limit) fail(fmt::format("the number {} is above {}", value, limit));
  return value;
}

Node JsonReader::node() {
  Node node{};
  peek_token();
  if (const std::size_t length = ensure(kCompactNodeBytes) ? compact_node(cursor_, node) : 0; length != 0) {
    cursor_ += length;
    return node;
  }
  const std::size_t count = array([&](std::size_t i) {
    if (i >= node.size()) fail("more than 32 numbers");
    node[i] = static_cast<u8>(number(255));
  });
  if (count != node.size()) fail(fmt::format("{} numbers, expected 32", count));
  return node;
}

void JsonReader::skip_digits() {
  if (!is_digit(peek())) fail("expected a digit");
  while (is_digit(peek())) ++cursor_;
}

void JsonReader::skip_number() {
  if (peek() == '-') ++cursor_;
  if (peek() == '0') {
    ++cursor_;
    if (is_digit(peek())) fail("a number with a leading zero");
  } else {
    skip_digits();
  }
  if (peek() == '.') {
    ++cursor_;
    skip_digits();
  }
  if (peek() != 'e' && peek() != 'E') return;
  ++cursor_;
  if (peek() == '+' || peek() == '-') ++cursor_;
  skip_digits();
}

void JsonReader::skip_literal(std::string_view literal) {
  if (!ensure(literal.size()) || std::memcmp(cursor_, literal.data(), literal.size()) != 0) fail("expected a value");
  cursor_ += literal.size();
}

/// Reads the beginning of a value; true where it opened an object or array, which `open` then has on top.
bool JsonReader::open_or_scalar(std::vector<bool>& open) {
  switch (peek_token()) {
    case '{':
    case '[': open.push_back(*cursor_++ == '{'); return true;
    case '"': string(); return false;
    case 't': skip_literal("true"); return false;
    case 'f': skip_literal("false"); return false;
    case 'n': skip_literal("null"); return false;
    default: skip_number(); return false;
  }
}

void JsonReader::skip() {
  std::vector<bool> open;  // of each enclosing value, whether it is an object: a bit a level, no recursion
  bool first = open_or_scalar(open);
  while (!open.empty()) {
    const bool object = open.back();
    if (!next_item(object ? '}' : ']', first ? 0 : 1)) {
      open.pop_back();
      first = false;
      continue;
    }
    if (object) key();
    first = open_or_scalar(open);
  }
}

void JsonReader::finish() {
  peek_token();
  if (ensure(1)) fail("something after the end");
}

}  // namespace cuzk::filecoin

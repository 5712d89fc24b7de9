/// A strict pull reader of JSON (RFC 8259) for documents whose shape is known, such as the proofs that the Go side
/// sends: tens of megabytes of arrays of 32 numbers. One pass, no tree, no recursion; a text may come in pieces, so
/// that only a window of it is in memory.
///
/// Every fault is Error{invalid_input}, "<source>: cannot be read: <place>: <fault>", with the place (pushed by Place)
/// and the byte's offset. Things that read well but may not be are reported through `invalid`, without "cannot be
/// read". One reader belongs to one thread.
#pragma once

#include <functional>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/types.h"
#include "filecoin/node.h"

namespace cuzk::filecoin {

/// Fills a part of the buffer with the next bytes and gives their number, 0 at the end.
using ByteSource = std::function<std::size_t(std::span<u8>)>;

class JsonReader {
 public:
  /// A text in memory, which must outlive the reader.
  JsonReader(std::string_view text, std::string name);
  /// A text in pieces, of at most `limit` bytes; strings in it may not be longer than kWindowBytes. Takes a window of
  /// that size, or of the text's where it is shorter.
  JsonReader(ByteSource source, std::string name, std::size_t limit = kWindowBytes);

  static constexpr std::size_t kWindowBytes = std::size_t{1} << 18;

  /// Reads an object: calls on_field(i) for names[i], which must read the value. Other fields are skipped. A field that
  /// is there twice, or missing, is a fault.
  template <class OnField>
  void fields(std::initializer_list<std::string_view> names, OnField on_field);

  /// Reads an object with exactly one field, one of names: calls on_variant(name), which must read the value.
  template <class OnVariant>
  void variant(OnVariant on_variant);

  /// Reads an array: calls on_item(i), which must read the item. Gives the number of items.
  template <class OnItem>
  std::size_t array(OnItem on_item);

  /// A whole number of at most `limit`.
  u64 number(u64 limit = ~u64{0});

  /// An array of 32 numbers below 256.
  Node node();

  /// A string, its escapes replaced; valid until the next call. `text()` in memory: a view of it where no escape is.
  std::string_view string();

  /// A string of a text in memory, as a view of it; nothing, and nothing read, where it has escapes.
  std::optional<std::string_view> plain_string();

  /// The same without looking through the string, whose end is taken to be the first quotation mark in the last 4 KiB of
  /// the text. It has been read only if every character of the view then proves to be one that needs no escape.
  std::optional<std::string_view> guessed_string();

  /// A string in pieces, its escapes replaced, not checked to be UTF-8: fills a part of `into`, of at least 64 bytes,
  /// and gives its length, 0 at the end. From the first piece to that 0 nothing else may be read. It need not fit into
  /// memory.
  std::size_t string_piece(std::span<u8> into);

  /// Any value.
  void skip();

  /// Only white space may follow.
  void finish();

  [[noreturn]] void fail(std::string_view fault);     ///< cannot be read
  [[noreturn]] void invalid(std::string_view fault);  ///< can be read, but may not be

  /// Where the reader is, for messages, while it lives: "drg_parents", or "challenge 3".
  class Place {
   public:
    Place(JsonReader& reader, std::string_view name) : Place(reader, name, kNoIndex) {}
    Place(JsonReader& reader, std::string_view name, std::size_t index) : reader_(reader) {
      reader_.places_.push_back({name, index});
    }
    ~Place() { reader_.places_.pop_back(); }
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;

   private:
    JsonReader& reader_;
  };

 private:
  static constexpr std::size_t kNoIndex = ~std::size_t{0};
  struct NamedPlace {
    std::string_view name;
    std::size_t index;
  };

  std::string place() const;
  std::size_t left() const { return static_cast<std::size_t>(end_ - cursor_); }  ///< in the window
  bool refill();  ///< more bytes behind those left; false at the end
  /// That many bytes in the window, if the text has them.
  bool ensure(std::size_t count) { return left() >= count || refill_to(count); }
  bool refill_to(std::size_t count);
  u8 peek() { return ensure(1) ? *cursor_ : 0; }  ///< the next byte, 0 at the end
  u8 peek_token();                                ///< the same after white space
  void expect(char token);                        ///< after white space
  bool next_item(char close, std::size_t count);  ///< what stands between items
  std::string_view key();                         ///< a string and the colon
  std::string_view escaped_string(std::size_t length);
  void append_escape();
  u32 hex_digits();
  void append_utf8(u32 code_point);
  void skip_number();
  void skip_digits();
  void skip_literal(std::string_view literal);
  bool open_or_scalar(std::vector<bool>& open);

  std::string name_;
  ByteSource source_;
  std::vector<u8> window_;
  const u8* cursor_ = nullptr;
  const u8* end_ = nullptr;
  std::size_t offset_ = 0;  // of end_ in the text
  std::string scratch_;
  bool in_pieces_ = false;  // inside a string that string_piece reads
  std::vector<NamedPlace> places_;
};

template <class OnField>
void JsonReader::fields(std::initializer_list<std::string_view> names, OnField on_field) {
  u32 seen = 0;
  expect('{');
  for (std::size_t count = 0; next_item('}', count); ++count) {
    const std::string_view found = key();
    std::size_t i = 0;
    while (i < names.size() && names.begin()[i] != found) ++i;
    if (i == names.size()) {
      skip();
      continue;
    }
    const Place here(*this, names.begin()[i]);
    if (seen >> i & 1) fail("the field is there twice");
    seen |= 1u << i;
    on_field(i);
  }
  for (std::size_t i = 0; i < names.size(); ++i)
    if (!(seen >> i & 1)) fail(fmt::format("the field {} is missing", names.begin()[i]));
}

template <class OnVariant>
void JsonReader::variant(OnVariant on_variant) {
  expect('{');
  on_variant(std::string(key()));
  if (peek_token() != '}') fail("expected one variant and the end of its object");
  expect('}');
}

template <class OnItem>
std::size_t JsonReader::array(OnItem on_item) {
  expect('[');
  std::size_t count = 0;
  for (; next_item(']', count); ++count) on_item(count);
  return count;
}

}  // namespace cuzk::filecoin

/// Bytes of what the journal keeps as a blob or a file: a job's input, the stages of its timings.
///
/// Numbers are 64 bits, little endian. An input is a mark of the format, its numbers, the lengths of its strings, then the
/// strings one after another; the kind of proof is not in it. Whether the content is whole is for the caller to check by
/// the input's digest.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/types.h"
#include "engine/request.h"

namespace cuzk::engine {

/// An input as pieces that are written one after another, so that hundreds of megabytes are not copied. The pieces show
/// the input's own strings: it must live as long.
struct EncodedInput {
  std::vector<u8> head;
  std::vector<std::span<const u8>> pieces;  ///< the head first
  u64 bytes = 0;                            ///< of all pieces
};

EncodedInput encode_input(const ProofInput& input);

/// Throws Error{invalid_input} naming `source` when a length does not fit.
ProofInput decode_input(Kind kind, std::span<const u8> bytes, std::string_view source);

using Stages = std::vector<std::pair<std::string, double>>;
std::vector<u8> encode_stages(const Stages& stages);

/// Throws Error{invalid_input} naming `source`.
Stages decode_stages(std::span<const u8> bytes, std::string_view source);

}  // namespace cuzk::engine

/// The tokens that clients of an address with TLS may send: "authorization: Bearer TOKEN".
#pragma once

#include <array>
#include <filesystem>
#include <mutex>
#include <string_view>
#include <vector>

#include "base/types.h"

namespace cuzk::server {

/// Threads: any may call any function.
class BearerTokens {
 public:
  /// A file with one token a line, empty lines and those that begin with # left out. Throws Error: not_found;
  /// invalid_input for a file without a token or with one that is shorter than 16 characters or holds a space.
  explicit BearerTokens(std::filesystem::path file);

  /// Reads the file again. What it throws leaves the tokens as they were. Returns how many there are.
  std::size_t reload();

  /// Whether the value of the header is one of the tokens. The time it takes does not tell how far a wrong one is right.
  bool accepts(std::string_view authorization) const;

 private:
  using Digest = std::array<u8, 32>;

  static std::vector<Digest> read(const std::filesystem::path& file);

  const std::filesystem::path file_;
  mutable std::mutex mutex_;
  std::vector<Digest> digests_;  // SHA-256: equal in length, and the tokens themselves are not kept
};

}  // namespace cuzk::server

/// BLAKE2b with digests of 64 bytes (RFC 7693): what names key files and drives the Feistel permutation of the graph.
/// The work is OpenSSL's. One Blake2b belongs to one thread at a time.
#pragma once

#include <array>
#include <memory>
#include <span>

#include "base/types.h"

namespace cuzk {

using Blake2bDigest = std::array<u8, 64>;

/// A message that arrives in pieces, such as a file.
class Blake2b {
 public:
  Blake2b();
  Blake2b(Blake2b&&) noexcept;
  Blake2b& operator=(Blake2b&&) noexcept;
  ~Blake2b();

  Blake2b& update(std::span<const u8> bytes);

  /// The digest of all bytes so far. The object must not be used afterwards.
  Blake2bDigest finish();

 private:
  struct Context;
  std::unique_ptr<Context> context_;
};

Blake2bDigest blake2b_512(std::span<const u8> message);

}  // namespace cuzk

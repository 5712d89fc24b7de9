#include "hash/blake2b.h"

#include <openssl/evp.h>

#include "base/error.h"

namespace cuzk {

namespace {

void check(int result, const char* step) {
  if (result != 1) throw internal_error("BLAKE2b-512: OpenSSL refused to {}", step);
}

}  // namespace

struct Blake2b::Context {
  EVP_MD_CTX* raw = EVP_MD_CTX_new();

  Context() = default;
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
  ~Context() { EVP_MD_CTX_free(raw); }
};

Blake2b::Blake2b() : context_(std::make_unique<Context>()) {
  if (context_->raw == nullptr) throw Error(Code::resource_exhausted, "BLAKE2b-512: no memory for a context");
  check(EVP_DigestInit_ex(context_->raw, EVP_blake2b512(), nullptr), "begin");
}

Blake2b::Blake2b(Blake2b&&) noexcept = default;
Blake2b& Blake2b::operator=(Blake2b&&) noexcept = default;
Blake2b::~Blake2b() = default;

Blake2b& Blake2b::update(std::span<const u8> bytes) {
  check(EVP_DigestUpdate(context_->raw, bytes.data(), bytes.size()), "take bytes");
  return *this;
}

Blake2bDigest Blake2b::finish() {
  Blake2bDigest digest;
  check(EVP_DigestFinal_ex(context_->raw, digest.data(), nullptr), "finish");
  return digest;
}

Blake2bDigest blake2b_512(std::span<const u8> message) { return Blake2b().update(message).finish(); }

}  // namespace cuzk

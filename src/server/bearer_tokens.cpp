#include "server/bearer_tokens.h"

#include <openssl/crypto.h>
#include <openssl/sha.h>

#include <algorithm>
#include <sstream>
#include <string>

#include "base/error.h"
#include "base/whole_file.h"

namespace cuzk::server {

namespace {

constexpr std::size_t kShortestToken = 16;
constexpr std::size_t kLargestFile = std::size_t{1} << 20;

std::array<u8, 32> digest(std::string_view token) {
  std::array<u8, 32> result{};
  SHA256(reinterpret_cast<const unsigned char*>(token.data()), token.size(), result.data());
  return result;
}

std::string tokens_text(const std::filesystem::path& file) {
  const auto bytes = read_whole_file(file);
  if (bytes.size() > kLargestFile)
    throw invalid_input("{}: {} bytes are too many for tokens", file.string(), bytes.size());
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// A line without spaces and carriage returns at its end.
std::string_view trim_end(std::string_view line) {
  while (!line.empty() && (line.back() == ' ' || line.back() == '\r')) line.remove_suffix(1);
  return line;
}

}  // namespace

BearerTokens::BearerTokens(std::filesystem::path file) : file_(std::move(file)), digests_(read(file_)) {}

std::vector<BearerTokens::Digest> BearerTokens::read(const std::filesystem::path& file) {
  std::vector<Digest> result;
  std::istringstream lines(tokens_text(file));
  std::size_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    const auto token = trim_end(line);
    if (token.empty() || token.front() == '#') continue;
    if (token.size() < kShortestToken || token.find(' ') != std::string_view::npos) {
      throw invalid_input("{}, line {}: no token: expected at least {} characters and no space", file.string(), number,
                          kShortestToken);
    }
    result.push_back(digest(token));
  }
  if (result.empty()) throw invalid_input("{}: there is no token in it", file.string());
  return result;
}

std::size_t BearerTokens::reload() {
  auto digests = read(file_);
  const std::lock_guard lock(mutex_);
  digests_ = std::move(digests);
  return digests_.size();
}

bool BearerTokens::accepts(std::string_view authorization) const {
  constexpr std::string_view kScheme = "Bearer ";
  if (!authorization.starts_with(kScheme)) return false;
  const Digest offered = digest(authorization.substr(kScheme.size()));
  const std::lock_guard lock(mutex_);
  bool found = false;
  for (const Digest& known : digests_) found |= CRYPTO_memcmp(known.data(), offered.data(), known.size()) == 0;
  return found;
}

}  // namespace cuzk::server

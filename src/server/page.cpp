#include "server/page.h"

#include <fmt/format.h>
#include <openssl/evp.h>
#include <openssl/sha.h>

#include <array>

namespace cuzk::server {

namespace {

/// 'sha256-...' of all that stands between <tag> and </tag>.
std::string digests_of(std::string_view html, std::string_view tag) {
  const std::string open = fmt::format("<{}>", tag), close = fmt::format("</{}>", tag);
  std::string digests;
  for (std::size_t at = html.find(open); at != std::string_view::npos; at = html.find(open, at)) {
    at += open.size();
    const auto text = html.substr(at, html.find(close, at) - at);
    std::array<u8, SHA256_DIGEST_LENGTH> digest{};
    SHA256(reinterpret_cast<const u8*>(text.data()), text.size(), digest.data());
    std::array<u8, 45> base64{};  // and a zero
    EVP_EncodeBlock(base64.data(), digest.data(), static_cast<int>(digest.size()));
    digests += fmt::format(" 'sha256-{}'", reinterpret_cast<const char*>(base64.data()));
  }
  return digests;
}

HttpAnswer page() {
  static const std::string policy = policy_of(page_html());
  return {200,
          "text/html; charset=utf-8",
          std::string(page_html()),
          {{"Content-Security-Policy", policy},
           {"X-Content-Type-Options", "nosniff"},
           {"X-Frame-Options", "DENY"},
           {"Referrer-Policy", "no-referrer"},
           {"Cross-Origin-Resource-Policy", "same-origin"},
           {"Cross-Origin-Opener-Policy", "same-origin"}}};
}

}  // namespace

std::string policy_of(std::string_view html) {
  return fmt::format(
      "default-src 'none'; script-src{}; style-src{}; connect-src 'self'; img-src data:; base-uri 'none'; "
      "form-action 'none'; frame-ancestors 'none'",
      digests_of(html, "script"), digests_of(html, "style"));
}

std::vector<HttpRoute> page_routes(EventStream& events) {
  using Readers = HttpRoute::Readers;
  return {{"/", [](std::string_view) { return page(); }, Readers::own_page},
          {"/page.json",
           [&events](std::string_view) -> HttpAnswer {
             return {200, "application/json", events.whole() + "\n", {{"X-Content-Type-Options", "nosniff"}}};
           },
           Readers::own_page}};
}

std::vector<HttpStream> page_streams(EventStream& events) {
  return {{"/events", "text/event-stream", kMostViewers, [&events] { return events.open(); }}};
}

}  // namespace cuzk::server

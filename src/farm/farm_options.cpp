#include "farm/farm_options.h"

#include "base/error.h"

namespace cuzk::farm {

namespace {

constexpr std::string_view kHidden = "***";

/// user:secret@host of a URI.
void hide_in_authority(std::string& text) {
  const auto scheme = text.find("://");
  if (scheme == std::string::npos) return;
  const auto begin = scheme + 3;
  const auto at = text.rfind('@');
  const auto colon = text.find(':', begin);
  if (at == std::string::npos || colon == std::string::npos || colon > at) return;
  text.replace(colon + 1, at - colon - 1, kHidden);
}

/// Where the value that begins here ends: behind its closing quotation mark, or before a space or the next of a URI's.
std::size_t end_of_value(const std::string& text, std::size_t begin) {
  if (begin == text.size() || text[begin] != '\'') return std::min(text.find_first_of(" \t\n&", begin), text.size());
  for (std::size_t i = begin + 1; i < text.size(); ++i) {
    if (text[i] == '\\')
      ++i;
    else if (text[i] == '\'')
      return i + 1;
  }
  return text.size();
}

/// password = 'secret', and whatever ends in password, such as sslpassword.
void hide_values(std::string& text) {
  constexpr std::string_view kKey = "password";
  for (auto at = text.find(kKey); at != std::string::npos; at = text.find(kKey, at)) {
    at += kKey.size();
    const auto equals = text.find_first_not_of(" \t\n", at);
    if (equals == std::string::npos || text[equals] != '=') continue;
    const auto begin = std::min(text.find_first_not_of(" \t\n", equals + 1), text.size());
    text.replace(begin, end_of_value(text, begin) - begin, kHidden);
    at = begin;
  }
}

}  // namespace

std::string without_password(const std::string& postgres) {
  std::string text = postgres;
  hide_in_authority(text);
  hide_values(text);
  return text;
}

void check(const FarmOptions& options) {
  const auto ms = [](FarmOptions::Time time) { return time.count(); };
  if (options.lease < 3 * options.heartbeat) {
    throw invalid_input(
        "farm.lease is {} ms, expected three heartbeats ({} ms each) at least: else one that is lost ends it",
        ms(options.lease), ms(options.heartbeat));
  }
  if (options.objects.empty() && options.inline_input > u64{512} << 20) {
    throw invalid_input(
        "farm.inline_input is {} bytes, expected at most 512 MiB: a row of PostgreSQL holds 1 GB, sent as text",
        options.inline_input);
  }
}

}  // namespace cuzk::farm

#include "base/random.h"

#include <string.h>
#include <sys/random.h>

#include <cerrno>
#include <system_error>

#include "base/error.h"

namespace cuzk {

void fill_random(std::span<u8> bytes) {
  while (!bytes.empty()) {
    const ssize_t got = getrandom(bytes.data(), bytes.size(), 0);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw internal_error("random numbers: getrandom: {}", std::generic_category().message(errno));
    bytes = bytes.subspan(static_cast<std::size_t>(got));
  }
}

void wipe(std::span<u8> bytes) noexcept { explicit_bzero(bytes.data(), bytes.size()); }

}  // namespace cuzk

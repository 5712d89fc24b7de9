/// Linked to every target: what is logged of nonsense would be most of the time.
#include <spdlog/spdlog.h>

namespace {

[[maybe_unused]] const bool quiet = (spdlog::set_level(spdlog::level::off), true);

}  // namespace

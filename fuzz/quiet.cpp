/// Linked to every target: what is logged of nonsense would be most of the time.
#include "base/log.h"

namespace {

[[maybe_unused]] const bool quiet = (cuzk::configure_log(spdlog::level::off, cuzk::LogFormat::text), true);

}  // namespace

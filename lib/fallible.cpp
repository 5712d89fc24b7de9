#include "fallible.h"

#include <new>

namespace cuzk::lib {

namespace {

/// For when there is no memory for an error.
cuzk_error& out_of_memory() {
  static cuzk_error error{CUZK_RESOURCE_EXHAUSTED, "out of memory"};  // short: takes no memory of its own
  return error;
}

cuzk_error* new_error(cuzk_code code, const char* message) noexcept {
  try {
    return new cuzk_error{code, message};
  } catch (...) {
    return &out_of_memory();
  }
}

}  // namespace

cuzk_code code_of(Code code) {
  switch (code) {
    case Code::invalid_input: return CUZK_INVALID_INPUT;
    case Code::not_found: return CUZK_NOT_FOUND;
    case Code::resource_exhausted: return CUZK_RESOURCE_EXHAUSTED;
    case Code::cancelled: return CUZK_CANCELLED;
    case Code::deadline: return CUZK_DEADLINE;
    case Code::device_lost: return CUZK_DEVICE_LOST;
    case Code::unavailable: return CUZK_UNAVAILABLE;
    case Code::internal: return CUZK_INTERNAL;
  }
  return CUZK_INTERNAL;
}

cuzk_error* current_error() noexcept {
  try {
    throw;
  } catch (const Error& error) {
    return new_error(code_of(error.code()), error.what());
  } catch (const std::bad_alloc&) {
    return &out_of_memory();
  } catch (const std::exception& error) {
    return new_error(CUZK_INTERNAL, error.what());
  } catch (...) {
    return new_error(CUZK_INTERNAL, "an exception of an unknown type");
  }
}

void destroy(cuzk_error* error) noexcept {
  if (error != &out_of_memory()) delete error;
}

}  // namespace cuzk::lib

/// From exceptions to errors of the C interface: one of the three edges where exceptions end.
#pragma once

#include <exception>
#include <string>

#include "base/error.h"
#include "cuzk.h"

struct cuzk_error {
  cuzk_code code;
  std::string message;
};

namespace cuzk::lib {

cuzk_code code_of(Code code);

/// What is being thrown, as an error; of the process where there is no memory for one. Never throws.
cuzk_error* current_error() noexcept;

void destroy(cuzk_error* error) noexcept;

/// Runs `work`; what it throws is returned.
template <class Work>
cuzk_error* fallible(Work&& work) noexcept {
  try {
    work();
    return nullptr;
  } catch (...) {
    return current_error();
  }
}

/// Throws Error{invalid_input} naming the argument where it is NULL.
template <class T>
T& given(T* argument, const char* name) {
  if (argument == nullptr) throw invalid_input("{} is NULL", name);
  return *argument;
}

}  // namespace cuzk::lib

/// Makes work fail at every place where it passes a failpoint, once each: nothing that can fail stays untried.
#pragma once

#include <string_view>

#include "base/error.h"
#include "base/failpoint.h"

namespace cuzk::test {

/// Runs work() with its first pass of the place failing, then its second, and so on until it gets through; after each
/// failure it calls after_failure(). Returns how often it failed: 0 means that work never passes the place, or that the
/// build has no failpoints.
template <class Work, class AfterFailure>
unsigned fail_each_pass(std::string_view place, Code code, const Work& work, const AfterFailure& after_failure) {
  for (unsigned pass = 0;; ++pass) {
    failpoint::arm(place, {.code = code, .skip = pass, .times = 1});
    try {
      work();
      failpoint::disarm_all();
      return pass;
    } catch (const Error& error) {
      failpoint::disarm_all();
      if (error.code() != code) throw;
      after_failure();
    }
  }
}

}  // namespace cuzk::test

/// How a request's values are checked before anything is proved.
#pragma once

#include <string_view>

#include "base/thread_pool.h"
#include "groth16/control.h"

namespace cuzk::engine {

/// Calls check(pool), measured as "checks". The pool is the process's, and stops when the job is to.
template <class Check>
void check_natively(const groth16::Control& control, const Check& check) {
  control.check("reading of a request");
  const Span span = control.span("checks");
  ThreadPool pool = ThreadPool::shared().until(control.stop);
  check(pool);
}

}  // namespace cuzk::engine

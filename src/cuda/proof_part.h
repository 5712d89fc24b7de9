/// One of several proofs that are made side by side: it fails or is stopped alone, and the others go on.
#pragma once

#include <exception>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "groth16/control.h"

namespace cuzk::cuda {

struct ProofPart {
  const groth16::Control& control;
  std::exception_ptr failure = nullptr;

  /// Unless it has failed: work(), whose exception, or the proof's stop, is the failure.
  template <class Work>
  void attempt(Work&& work) {
    if (failure != nullptr) return;
    try {
      control.check("proof");
      work();
    } catch (...) {
      failure = std::current_exception();
    }
  }
};

/// A span in the trace of each of them, for as long as the result lives.
inline std::vector<std::unique_ptr<const Span>> spans_of(std::span<const ProofPart> parts, std::string_view name) {
  std::vector<std::unique_ptr<const Span>> spans;
  for (const ProofPart& part : parts) spans.emplace_back(new Span(part.control.span(name)));
  return spans;
}

}  // namespace cuzk::cuda

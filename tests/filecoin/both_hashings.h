/// Runs native checks with both ways of hashing, for tests.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "base/error.h"
#include "filecoin/path_root.h"

namespace cuzk::filecoin {

/// The words of what `check(hashing)` throws, empty if nothing. Both ways must find the same fault.
template <class Check>
std::string fault_of(const Check& check) {
  const auto words = [&](Hashing hashing) -> std::string {
    try {
      check(hashing);
      return "";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Code::invalid_input);
      return error.what();
    }
  };
  const std::string fault = words(Hashing::together);
  EXPECT_EQ(fault, words(Hashing::one_by_one));
  return fault;
}

}  // namespace cuzk::filecoin

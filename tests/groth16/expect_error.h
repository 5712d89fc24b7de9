/// Expects of a call that it throws cuzk::Error with a code and a message that tells something.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "base/error.h"

namespace cuzk::test {

template <class Work>
void expect_error(Code code, const std::string& part, Work&& work) {
  try {
    work();
    ADD_FAILURE() << "no error, expected one with: " << part;
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.what();
    EXPECT_THAT(error.what(), testing::HasSubstr(part));
  }
}

}  // namespace cuzk::test

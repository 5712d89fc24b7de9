// The main function of tests that need a GPU: without one, the whole program is skipped.
#include <gtest/gtest.h>

#include <iostream>

#include "cuda/device.h"

int main(int count, char** arguments) {
  constexpr int kSkipped = 77;  // CTest: SKIP_RETURN_CODE
  testing::InitGoogleTest(&count, arguments);
  if (cuzk::cuda::devices().empty()) {
    std::cout << "skipped: no GPU\n";
    return kSkipped;
  }
  return RUN_ALL_TESTS();
}

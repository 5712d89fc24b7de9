#include "cuda/tuning.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "cuda/windows.h"

namespace cuzk::cuda {
namespace {

DeviceProperties device(int major, int minor) {
  DeviceProperties properties;
  properties.major = major;
  properties.minor = minor;
  return properties;
}

TEST(Tunings, AreInOrderAndWithinWhatAProductTakes) {
  EXPECT_TRUE(std::ranges::is_sorted(tunings(), {}, &Tuning::architecture));
  for (const Tuning& tuning : tunings()) {
    for (const u8 bits : tuning.window_bits) {
      EXPECT_GE(bits, 3) << tuning.architecture;
      EXPECT_LE(bits, 26) << tuning.architecture;
    }
    EXPECT_GT(tuning.sums_per_thread * tuning.inversions_per_multiprocessor * tuning.totals_per_inversion, 0U);
    EXPECT_GT(tuning.few_points, 0U);
  }
}

TEST(Tunings, ADeviceHasItsOwnOrTheNewestBeforeIt) {
  EXPECT_EQ(tuning_for(device(9, 0)).architecture, 90U);
  EXPECT_EQ(tuning_for(device(9, 0)).origin, Tuning::Origin::measured);
  EXPECT_EQ(tuning_for(device(8, 7)).architecture, 86U);
  EXPECT_EQ(tuning_for(device(10, 3)).architecture, 100U);
  EXPECT_EQ(tuning_for(device(13, 0)).architecture, 120U);
  EXPECT_EQ(tuning_for(device(7, 5)).architecture, 80U);
  EXPECT_EQ(tuning_for(device(8, 9)).origin, Tuning::Origin::derived);
}

/// 256 bits in all, for what a scalar and half of each window's range sum up to must fit.
TEST(Windows, OfTwoWidthsCoverAScalar) {
  for (unsigned bits = 8; bits <= 26; ++bits) {
    const Windows even = Windows::even(bits);
    EXPECT_EQ(even.all, Windows::in_scalar(bits));
    EXPECT_EQ(even.place(even.all), 256U);
    unsigned place = 0;
    for (unsigned window = 0; window < even.all; ++window) {
      EXPECT_EQ(even.place(window), place);
      place += even.width(window);
    }
    EXPECT_LE(even.part(0, even.all).buckets(), Windows::uniform(bits).part(0, even.all).buckets());
  }
}

}  // namespace
}  // namespace cuzk::cuda

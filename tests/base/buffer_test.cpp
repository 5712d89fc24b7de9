#include "base/buffer.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.h"

namespace cuzk {
namespace {

std::uintptr_t address(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

TEST(Buffer, SmallOnesAreAlignedToCacheLines) {
  for (std::size_t size : {1, 7, 1000}) {
    const Buffer<u64> buffer(size);
    EXPECT_EQ(address(buffer.data()) % 64, 0U);
    EXPECT_EQ(buffer.size(), size);
  }
}

TEST(Buffer, LargeOnesAreAlignedToHugePagesAndWritableToTheEnd) {
  for (std::size_t size : {std::size_t{2} << 20, (std::size_t{2} << 20) + 1, std::size_t{9'000'000}}) {
    Buffer<u8> buffer(size);
    EXPECT_EQ(address(buffer.data()) % (2 << 20), 0U);
    std::fill(buffer.begin(), buffer.end(), u8{0xab});
    EXPECT_EQ(buffer[size - 1], 0xab);
  }
}

TEST(Buffer, MovesItsItems) {
  Buffer<u32> first(10);
  std::fill(first.begin(), first.end(), 7U);
  const u32* const place = first.data();
  Buffer<u32> second(std::move(first));
  EXPECT_EQ(second.data(), place);
  Buffer<u32> third;
  EXPECT_TRUE(third.empty());
  third = std::move(second);
  EXPECT_EQ(third.data(), place);
  EXPECT_EQ(third.span().back(), 7U);
}

TEST(Buffer, EmptyHasNoItems) {
  const Buffer<u64> buffer(0);
  EXPECT_TRUE(buffer.empty());
  EXPECT_EQ(buffer.begin(), buffer.end());
}

TEST(Buffer, RefusesWhatNoMachineHas) {
  for (std::size_t size : {SIZE_MAX, SIZE_MAX / 8, SIZE_MAX / 64}) {
    try {
      const Buffer<u64> buffer(size);
      FAIL() << size;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Code::resource_exhausted);
    }
  }
}

}  // namespace
}  // namespace cuzk

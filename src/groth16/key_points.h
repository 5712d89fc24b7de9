/// A proving key's points as the sums of a proof take them: block by block, from memory or from the key's file.
///
/// A key that is used in place is never whole in memory: each proof reads its blocks, converts and checks them, and
/// forgets them. That costs about 0.3 us of a core a point, a tenth of what the sums themselves take.
#pragma once

#include <functional>
#include <memory>

#include "groth16/parameters.h"

namespace cuzk::groth16 {

/// Points of 96 MiB.
template <class Affine>
inline constexpr std::size_t kLargestBlock = (std::size_t{1} << 20) * sizeof(G1Affine) / sizeof(Affine);

/// What blocks of a file are to be: large ones pay where a product is made of each.
enum class BlockSize { large, small };

/// One vector of a key. Const members may be called from any thread.
template <class Affine>
class PointVector {
 public:
  /// `first` is the place of points[0] in the vector; the span lives until the function returns.
  using Visit = std::function<void(std::size_t first, std::span<const Affine> points)>;

  virtual ~PointVector() = default;
  virtual std::size_t size() const = 0;

  /// Shows the points [begin, end) in order. All blocks but the last are of one size, a multiple of 64 and at most
  /// kLargestBlock. Throws what the visitor throws, and as read_parameters where the points are read from a file.
  virtual void for_each_block(std::size_t begin, std::size_t end, BlockSize size, ThreadPool& pool,
                              const Control& control, const Visit& visit) const = 0;
};

/// The five vectors (groth16/parameters.h).
class KeyPoints {
 public:
  virtual ~KeyPoints() = default;

  virtual const VerifyingKey& verifying_key() const = 0;
  virtual KeyLengths lengths() const = 0;
  virtual std::size_t memory() const = 0;  ///< bytes that it takes for as long as it lives

  virtual const PointVector<G1Affine>& h() const = 0;
  virtual const PointVector<G1Affine>& l() const = 0;
  virtual const PointVector<G1Affine>& a() const = 0;
  virtual const PointVector<G1Affine>& b_g1() const = 0;
  virtual const PointVector<G2Affine>& b_g2() const = 0;
};

/// All of a key in memory.
std::unique_ptr<KeyPoints> points_in_memory(Parameters parameters);

/// A key's file used in place: its lengths and verifying key are read now, points when they are needed, and then
/// checked as `check` says. The file stays open: one that is replaced meanwhile is still there, one that is changed
/// gives an error or a proof that does not verify. Throws as read_parameters. Memory of a sum: one block, small ones of
/// 24 MiB, more on more than eight threads.
std::unique_ptr<KeyPoints> points_in_file(const std::filesystem::path& path, KeyCheck check);
/// What one of these takes as long as it lives.
std::size_t memory_of_points_in_file(const KeyLengths& lengths);

}  // namespace cuzk::groth16

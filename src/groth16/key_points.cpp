#include "groth16/key_points.h"

#include <algorithm>
#include <utility>

#include "groth16/key_reader.h"

namespace cuzk::groth16 {
namespace {

template <class Affine>
class VectorInMemory : public PointVector<Affine> {
 public:
  explicit VectorInMemory(std::span<const Affine> points) : points_(points) {}

  std::size_t size() const override { return points_.size(); }
  void for_each_block(std::size_t begin, std::size_t end, BlockSize, ThreadPool&, const Control&,
                      const typename PointVector<Affine>::Visit& visit) const override {
    for (std::size_t first = begin; first < end; first += kLargestBlock<Affine>) {
      visit(first, points_.subspan(first, std::min(kLargestBlock<Affine>, end - first)));
    }
  }

 private:
  std::span<const Affine> points_;
};

class PointsInMemory : public KeyPoints {
 public:
  explicit PointsInMemory(Parameters parameters) : parameters_(std::move(parameters)) {}

  const VerifyingKey& verifying_key() const override { return parameters_.verifying_key; }
  KeyLengths lengths() const override { return parameters_.lengths(); }
  std::size_t memory() const override { return lengths().memory(); }
  const PointVector<G1Affine>& h() const override { return h_; }
  const PointVector<G1Affine>& l() const override { return l_; }
  const PointVector<G1Affine>& a() const override { return a_; }
  const PointVector<G1Affine>& b_g1() const override { return b_g1_; }
  const PointVector<G2Affine>& b_g2() const override { return b_g2_; }

 private:
  Parameters parameters_;
  VectorInMemory<G1Affine> h_{parameters_.h.span()}, l_{parameters_.l.span()}, a_{parameters_.a.span()},
      b_g1_{parameters_.b_g1.span()};
  VectorInMemory<G2Affine> b_g2_{parameters_.b_g2.span()};
};

/// Small blocks are enough for each thread to have several pieces of work, whatever is done with them.
template <class Affine>
std::size_t points_of(BlockSize size, const ThreadPool& pool) {
  if (size == BlockSize::large) return kLargestBlock<Affine>;
  return std::clamp(std::size_t{pool.threads()} << 15, kLargestBlock<Affine> / 4, kLargestBlock<Affine>);
}

template <class Affine>
class VectorInFile : public PointVector<Affine> {
 public:
  VectorInFile(const KeyReader& reader, KeyVector vector, KeyCheck check)
      : reader_(reader), vector_(vector), check_(check) {}

  std::size_t size() const override { return vector_.count; }
  void for_each_block(std::size_t begin, std::size_t end, BlockSize size, ThreadPool& pool, const Control& control,
                      const typename PointVector<Affine>::Visit& visit) const override {
    if (begin >= end) return;
    Buffer<Affine> block(std::min(points_of<Affine>(size, pool), end - begin));
    for (std::size_t first = begin; first < end; first += block.size()) {
      control.check("proof");
      const std::span<Affine> points = block.span().first(std::min(block.size(), end - first));
      reader_.read(vector_, first, points, {check_, pool, control, nullptr});
      visit(first, points);
    }
  }

 private:
  const KeyReader& reader_;
  KeyVector vector_;
  KeyCheck check_;
};

class PointsInFile : public KeyPoints {
 public:
  PointsInFile(const std::filesystem::path& path, KeyCheck check)
      : reader_(path), verifying_key_(read_verifying_key(reader_.file(), reader_.lengths())), check_(check) {}

  const VerifyingKey& verifying_key() const override { return verifying_key_; }
  KeyLengths lengths() const override { return reader_.lengths(); }
  std::size_t memory() const override { return memory_of_points_in_file(lengths()); }
  const PointVector<G1Affine>& h() const override { return h_; }
  const PointVector<G1Affine>& l() const override { return l_; }
  const PointVector<G1Affine>& a() const override { return a_; }
  const PointVector<G1Affine>& b_g1() const override { return b_g1_; }
  const PointVector<G2Affine>& b_g2() const override { return b_g2_; }

 private:
  KeyReader reader_;
  VerifyingKey verifying_key_;
  KeyCheck check_;
  VectorInFile<G1Affine> h_{reader_, reader_.h(), check_}, l_{reader_, reader_.l(), check_},
      a_{reader_, reader_.a(), check_}, b_g1_{reader_, reader_.b_g1(), check_};
  VectorInFile<G2Affine> b_g2_{reader_, reader_.b_g2(), check_};
};

}  // namespace

std::unique_ptr<KeyPoints> points_in_memory(Parameters parameters) {
  return std::make_unique<PointsInMemory>(std::move(parameters));
}

std::size_t memory_of_points_in_file(const KeyLengths& lengths) {
  return sizeof(PointsInFile) + std::size_t{lengths.ic} * sizeof(G1Affine);
}

std::unique_ptr<KeyPoints> points_in_file(const std::filesystem::path& path, KeyCheck check) {
  return std::make_unique<PointsInFile>(path, check);
}

}  // namespace cuzk::groth16

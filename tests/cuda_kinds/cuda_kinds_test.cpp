// Proofs of spacetime and of sector updates, made on a device, from the request to the bytes of Filecoin's own prover.
#include "cuda/prover.h"
#include "groth16_kinds/golden_statement.h"

namespace cuzk::cuda {
namespace {

using engine::Kind;
using test::check_golden;
using test::post_input;
using test::update_input;

groth16::Prover& gpu() {
  static CudaProver prover({.device = 0, .memory = std::size_t{8} << 30}, ThreadPool::shared());
  return prover;
}

TEST(CudaWindowPost, OfSeveralPartitionsIsTheProofOfFilecoinsOwnProver) {
  check_golden(gpu(), "window-2k", "window-2k.window-v1_2-3", post_input(Kind::window_post, "post/2KiB/window-v1_2-3"));
}

TEST(CudaWindowPost, OfOnePartitionIsTheProofOfFilecoinsOwnProver) {
  check_golden(gpu(), "window-2k", "window-2k.window-v1-2", post_input(Kind::window_post, "post/2KiB/window-v1-2"));
}

TEST(CudaWinningPost, IsTheProofOfFilecoinsOwnProver) {
  check_golden(gpu(), "winning-2k", "winning-2k.winning-1", post_input(Kind::winning_post, "post/2KiB/winning-1"));
}

TEST(CudaSectorUpdate, IsTheProofOfFilecoinsOwnProver) {
  check_golden(gpu(), "snap-2k", "snap-2k.from-data", update_input("update/2KiB/from-data"));
}

TEST(CudaWinningPost, OfAStreamedKeyIsTheSame) {
  const MemoryPlan plan{MemoryPlan::Key::streamed, MemoryPlan::Quotient::parked, 1 << 12};
  CudaProver prover({.device = 0, .memory = std::size_t{2} << 30, .plan = plan}, ThreadPool::shared());
  check_golden(prover, "winning-2k", "winning-2k.winning-1", post_input(Kind::winning_post, "post/2KiB/winning-1"));
}

}  // namespace
}  // namespace cuzk::cuda

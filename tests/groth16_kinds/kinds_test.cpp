// Proofs of spacetime and of sector updates, from the request to the bytes that Filecoin's own prover makes.
#include "groth16/cpu_prover.h"
#include "groth16_kinds/golden_statement.h"

namespace cuzk::groth16 {
namespace {

using engine::Kind;
using test::check_golden;
using test::post_input;
using test::update_input;

Prover& cpu() {
  static CpuProver prover(ThreadPool::shared());
  return prover;
}

TEST(WindowPost, OfSeveralPartitionsIsTheProofOfFilecoinsOwnProver) {
  check_golden(cpu(), "window-2k", "window-2k.window-v1_2-3", post_input(Kind::window_post, "post/2KiB/window-v1_2-3"));
}

TEST(WindowPost, OfOnePartitionIsTheProofOfFilecoinsOwnProver) {
  check_golden(cpu(), "window-2k", "window-2k.window-v1-2", post_input(Kind::window_post, "post/2KiB/window-v1-2"));
}

TEST(WinningPost, IsTheProofOfFilecoinsOwnProver) {
  check_golden(cpu(), "winning-2k", "winning-2k.winning-1", post_input(Kind::winning_post, "post/2KiB/winning-1"));
}

TEST(SectorUpdate, IsTheProofOfFilecoinsOwnProver) {
  check_golden(cpu(), "snap-2k", "snap-2k.from-data", update_input("update/2KiB/from-data"));
}

}  // namespace
}  // namespace cuzk::groth16

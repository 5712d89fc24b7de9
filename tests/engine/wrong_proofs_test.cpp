#include "engine/wrong_proofs.h"

#include <gtest/gtest.h>

namespace cuzk::engine {
namespace {

using Verdict = WrongProofs::Verdict;
using std::chrono::hours;

const WrongProofs::Clock::time_point kFirstProof = WrongProofs::Clock::time_point(hours(1000));

TEST(WrongProofs, AreTheDevicesFaultWhereItHasProvedTheCircuit) {
  WrongProofs proofs;
  proofs.right("porep");
  EXPECT_EQ(proofs.wrong("porep", 1, kFirstProof), Verdict::suspect);
  EXPECT_EQ(proofs.wrong("porep", 2, kFirstProof + hours(1)), Verdict::suspect);
  EXPECT_EQ(proofs.wrong("porep", 1, kFirstProof + hours(2)), Verdict::faulty);
}

TEST(WrongProofs, OfOneCircuitThatWasNeverProvedSpeakAgainstItsKey) {
  WrongProofs proofs;
  proofs.right("snap");
  for (int i = 0; i < 10; ++i) EXPECT_EQ(proofs.wrong("porep", 2, kFirstProof), Verdict::key);
}

TEST(WrongProofs, OfTwoCircuitsAreTheDevicesFault) {
  WrongProofs proofs;
  EXPECT_EQ(proofs.wrong("porep", 2, kFirstProof), Verdict::key);
  EXPECT_EQ(proofs.wrong("snap", 1, kFirstProof), Verdict::suspect);
  EXPECT_EQ(proofs.wrong("snap", 1, kFirstProof), Verdict::faulty);
}

TEST(WrongProofs, AreForgottenAfterADay) {
  WrongProofs proofs;
  proofs.right("porep");
  for (int day = 0; day < 5; ++day)
    EXPECT_EQ(proofs.wrong("porep", 2, kFirstProof + hours(25 * day)), Verdict::suspect) << day;
}

}  // namespace
}  // namespace cuzk::engine

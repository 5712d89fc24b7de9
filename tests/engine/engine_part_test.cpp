// A job of some of a request's partitions, as machines that share one have it.
#include <gmock/gmock.h>

#include "engine/engine_fixture.h"
#include "engine/statement_part.h"

namespace cuzk::engine {
namespace {

using testing::HasSubstr;

class EnginePartTest : public EngineTest {
 protected:
  JobResult run_part(ProofRequest what, PartitionRange part) {
    return *engine->wait(engine->submit_part(std::move(what), part).id);
  }
};

TEST_F(EnginePartTest, GivesTheProofsOfItsPartitionsInOrder) {
  start();
  const auto result = run_part(request("a", "5"), {1, 3, 5});
  ASSERT_EQ(result.state, JobState::completed) << result.message;
  const auto vectors = toy_vectors();
  std::vector<u8> expected;
  for (const std::size_t i : {1u, 2u, 3u})
    expected.insert(expected.end(), vectors[i].proof.begin(), vectors[i].proof.end());
  EXPECT_EQ(result.proof, expected);
}

TEST_F(EnginePartTest, RefusesPartitionsThatTheRequestHasNot) {
  start();
  const auto other = run_part(request("a", "5"), {0, 2, 4});
  EXPECT_EQ(other.state, JobState::failed);
  EXPECT_EQ(other.code, Code::invalid_input);
  EXPECT_THAT(other.message, HasSubstr("has 5 partitions, not 4"));
  for (const PartitionRange wrong : {PartitionRange{4, 2, 5}, {5, 1, 5}, {0, 0, 5}, {~u32{0}, 2, 5}})
    EXPECT_THAT(run_part(request("a", "5"), wrong).message, HasSubstr("the request has 5"));
}

TEST_F(EnginePartTest, JoinsNoOtherPartAndNotTheWhole) {
  start();
  const auto one = engine->submit_part(request("a", "5"), {0, 2, 5});
  const auto two = engine->submit_part(request("a", "5"), {2, 3, 5});
  const auto whole = engine->submit(request("a", "5"));
  const auto again = engine->submit_part(request("a", "5"), {2, 3, 5});
  EXPECT_NE(one.id, two.id);
  EXPECT_NE(two.id, whole.id);
  EXPECT_EQ(again.id, two.id);
  EXPECT_EQ(engine->wait(whole.id)->proof.size(), 5u * 192);
  EXPECT_EQ(engine->wait(two.id)->proof.size(), 3u * 192);
}

}  // namespace
}  // namespace cuzk::engine

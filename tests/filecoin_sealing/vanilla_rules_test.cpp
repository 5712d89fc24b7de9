// Every rule of the decoders and of the native checks of PoSt and SnapDeals: a good request of 2 KiB sectors, one thing
// in it changed, and the words that the refusal must have.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "base/hex.h"
#include "filecoin/both_hashings.h"
#include "filecoin/sealing/vanilla_writer.h"
#include "filecoin/vanilla_post.h"
#include "filecoin/vanilla_update.h"
#include "support/vectors.h"

namespace cuzk::filecoin {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

std::vector<u8> hex_field(const std::string& file, const char* field) {
  return from_hex(test::vector_json(file).at(field).get<std::string>());
}

class PostRules : public testing::Test {
 protected:
  VanillaPost decode(const std::vector<std::string>& proofs) const {
    return decode_post({post_.proof, randomness_, 0}, proofs);
  }

  void decoder_refuses(const std::vector<std::string>& proofs, const std::string& words) const {
    EXPECT_THAT([&] { decode(proofs); }, ThrowsMessage<Error>(HasSubstr(words)));
  }

  /// What is written of the changed request.
  void decoder_refuses(const std::string& words) const { decoder_refuses(encode_post(post_), words); }

  void check_refuses(const std::string& words) const {
    EXPECT_THAT(fault_of([this](Hashing how) { check_post(post_, ThreadPool::shared(), how); }), HasSubstr(words));
  }

  VanillaPostSector& sector() { return post_.sectors[1]; }

  const std::string folder_ = "post/2KiB/window-v1_2-2";
  std::vector<u8> randomness_ = hex_field(folder_ + "/case.json", "randomness");
  VanillaPost post_ = decode_post(
      {{PostKind::window, ApiVersion::v1_2, &sector_shape("2k")}, randomness_},
      std::vector{test::vector_text(folder_ + "/vanilla-0.bin"), test::vector_text(folder_ + "/vanilla-1.bin")});
};

TEST_F(PostRules, AcceptTheGoodRequest) {
  EXPECT_NO_THROW(check_post(decode(encode_post(post_)), ThreadPool::shared()));
}

TEST_F(PostRules, RandomnessIsAFieldElementOf32Bytes) {
  randomness_.pop_back();
  decoder_refuses("randomness: 31 bytes, expected 32");
  randomness_.assign(32, 0xff);
  decoder_refuses("request: randomness is ");
}

TEST_F(PostRules, ThereIsASectorAndWinningHasOne) {
  decoder_refuses(std::vector<std::string>{}, "vanilla_proofs: none");
  post_.proof = {PostKind::winning, ApiVersion::v1_0, &sector_shape("2k")};
  decoder_refuses("vanilla_proofs: 2, WinningPoSt takes one sector");
}

TEST_F(PostRules, CountsAreThoseOfTheProof) {
  sector().openings.pop_back();
  decoder_refuses("vanilla proof 1: 9 inclusion_proofs, expected 10");
  auto proofs = encode_post(post_);
  proofs[0][40] = 2;  // behind the sector's number and comm_r
  decoder_refuses(proofs, "vanilla proof 0: 2 sectors, expected 1");
}

TEST_F(PostRules, PathsAreThoseOfTheTree) {
  const MerkleOpening good = sector().openings[4];
  sector().openings[4].path.pop_back();
  decoder_refuses("vanilla proof 1: inclusion proof 4: a path of 1 levels, expected 2");
  sector().openings[4] = good;
  sector().openings[4].path[1].siblings.pop_back();
  decoder_refuses("inclusion proof 4: level 1 has 6 siblings, expected 7");
  sector().openings[4] = good;
  sector().openings[4].path[0].index = 8;
  decoder_refuses("inclusion proof 4: level 0 has the index 8, expected below 8");
}

TEST_F(PostRules, ProofsGoThroughTheTreesOfTheSize) {
  auto proofs = encode_post(post_);
  const std::size_t tag = 8 + 32 + 8 + 8;  // of the first opening
  proofs[0][tag] = 3;
  decoder_refuses(proofs, "inclusion proof 0 at offset 56 has the variant 3, expected one below 3");
  post_.proof.shape = &sector_shape("16k");  // 8-8-0: a base tree and a sub-tree
  decoder_refuses(encode_post({{PostKind::window, ApiVersion::v1_2, &sector_shape("2k")}, {}, 0, post_.sectors}),
                  "a proof through 1 trees, expected 2");
}

TEST_F(PostRules, ValuesAreFieldElements) {
  const auto broken = [&](std::size_t place) {
    auto proofs = encode_post(post_);
    for (std::size_t i = 0; i < 32; ++i) proofs[0][place + i] = '\xff';
    return proofs;
  };
  const std::size_t size = encode_post(post_)[0].size();
  decoder_refuses(broken(8), "vanilla proof 0: comm_r is ff");
  decoder_refuses(broken(60), "vanilla proof 0: inclusion proof 0 is ff");
  decoder_refuses(broken(size - 64), "vanilla proof 0: comm_c is ff");
  decoder_refuses(broken(size - 32), "vanilla proof 0: comm_r_last is ff");
}

TEST_F(PostRules, LengthsAreBoundedByTheBytes) {
  for (const std::size_t place : {40u, 48u, 124u, 132u}) {  // sectors, openings, levels, siblings
    auto proofs = encode_post(post_);
    proofs[0][place + 7] = '\x7f';
    decoder_refuses(proofs, "cannot be read: ");
  }
  auto proofs = encode_post(post_);
  proofs[1].pop_back();
  decoder_refuses(proofs, "vanilla proof 1: cannot be read: comm_r_last at offset");
}

TEST_F(PostRules, CommRIsTheHashOfBothRoots) {
  sector().comm_c = sector().comm_c + Fr::one();
  check_refuses("vanilla proof 1 (sector 2): comm_r is not the hash of comm_c and comm_r_last");
}

TEST_F(PostRules, ChallengesAreTheVerifiers) {
  auto& step = sector().openings[3].path[0];
  step.index = (step.index + 1) % 8;
  check_refuses("vanilla proof 1 (sector 2): challenge 3: the path belongs to node");
}

TEST_F(PostRules, PathsLeadToTheRoot) {
  sector().openings[7].leaf = sector().openings[7].leaf + Fr::one();
  check_refuses("(sector 2): challenge 7 (node ");
}

class UpdateRules : public testing::Test {
 protected:
  VanillaUpdate decode(const std::vector<std::string>& proofs) const {
    return decode_update({*update_.shape, old_, data_, new_}, proofs);
  }

  void decoder_refuses(const std::vector<std::string>& proofs, const std::string& words) const {
    EXPECT_THAT([&] { decode(proofs); }, ThrowsMessage<Error>(HasSubstr(words)));
  }
  void decoder_refuses(const std::string& words) const { decoder_refuses(encode_update(update_), words); }

  void check_refuses(const std::string& words) const {
    EXPECT_THAT(fault_of([this](Hashing how) { check_update(update_, ThreadPool::shared(), how); }), HasSubstr(words));
  }

  VanillaUpdateChallenge& challenge() { return partition().challenges[3]; }
  VanillaUpdatePartition& partition() { return update_.partitions[1]; }

  const std::string folder_ = "update/16KiB/from-data";
  std::vector<u8> old_ = hex_field(folder_ + "/case.json", "comm_r_old");
  std::vector<u8> data_ = hex_field(folder_ + "/case.json", "comm_d_new");
  std::vector<u8> new_ = hex_field(folder_ + "/case.json", "comm_r_new");
  VanillaUpdate update_ = decode_update(
      {sector_shape("16k"), old_, data_, new_},
      std::vector{test::vector_text(folder_ + "/partition-0.bin"), test::vector_text(folder_ + "/partition-1.bin")});
};

Fr other(const Fr& value) { return value + Fr::one(); }

TEST_F(UpdateRules, AcceptTheGoodRequest) {
  EXPECT_NO_THROW(check_update(decode(encode_update(update_)), ThreadPool::shared()));
}

TEST_F(UpdateRules, RegisteredProofsAreFive) {
  EXPECT_EQ(update_shape_of(4).name, "64g");
  EXPECT_THAT([] { update_shape_of(5); }, ThrowsMessage<Error>(HasSubstr("registered update proof 5")));
}

TEST_F(UpdateRules, CommitmentsAreFieldElementsOf32Bytes) {
  old_.push_back(0);
  decoder_refuses("comm_r_old: 33 bytes, expected 32");
  old_.assign(32, 0xff);
  decoder_refuses("request: comm_r_old is ff");
}

TEST_F(UpdateRules, CountsAreThoseOfTheSize) {
  decoder_refuses({encode_update(update_)[0]}, "vanilla_proofs: 1 partitions, sectors of 16KiB have 2");
  const auto good = partition();
  partition().apex_leaves.pop_back();
  decoder_refuses("partition 1: 127 apex leaves, expected 128");
  partition() = good;
  partition().challenges.pop_back();
  decoder_refuses("partition 1: 9 challenge proofs, expected 10");
  partition() = good;
  challenge().d_new.path.pop_back();
  decoder_refuses("partition 1: challenge 3 proof_d_new: a path of 8 levels, expected 9");
}

TEST_F(UpdateRules, CommitmentsAreTheHashesOfTheRoots) {
  update_.comm_r_old = other(update_.comm_r_old);
  check_refuses("comm_r_old is not the hash of comm_c and challenge 0's root");
  update_ = decode(encode_update(update_));
  update_.comm_r_new = other(update_.comm_r_new);
  check_refuses("comm_r_new is not the hash of comm_c and challenge 0's root");
}

TEST_F(UpdateRules, TheApexLeadsToTheData) {
  partition().apex_leaves[5] = other(partition().apex_leaves[5]);
  check_refuses("partition 1: the apex leaves and the path above them do not lead to comm_d_new");
}

TEST_F(UpdateRules, EveryPathLeadsToItsRoot) {
  const auto good = challenge();
  challenge().r_old.path[0].siblings[0] = other(good.r_old.path[0].siblings[0]);
  check_refuses("partition 1: challenge 3 (node ");
  check_refuses("proof_r_old does not lead to its root");
  challenge() = good;
  challenge().r_new.path[1].siblings[2] = other(good.r_new.path[1].siblings[2]);
  check_refuses("proof_r_new does not lead to its root");
  challenge() = good;
  challenge().d_new.path[0].siblings[0] = other(good.d_new.path[0].siblings[0]);
  check_refuses("proof_d_new does not lead to its apex leaf");
  challenge() = good;
  challenge().d_new.path.back().siblings[0] = other(good.d_new.path.back().siblings[0]);
  check_refuses("the path above the apex differs from that of challenge 0");
}

TEST_F(UpdateRules, TheNewNodeIsTheOldOneAndItsData) {
  challenge().r_new.leaf = other(challenge().r_new.leaf);
  check_refuses("the new node is not the old one plus data times rho");
}

}  // namespace
}  // namespace cuzk::filecoin

#include "filecoin/vanilla_post.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "base/error.h"
#include "filecoin/both_hashings.h"
#include "filecoin/circuits/post.h"
#include "filecoin/sector_vectors.h"
#include "filecoin/witness_digest.h"

namespace cuzk::filecoin {
namespace {

std::string text_of(const std::vector<u8>& bytes) { return {bytes.begin(), bytes.end()}; }

/// The cases of the vectors, by folder.
std::vector<std::string> post_cases() {
  std::vector<std::string> folders;
  for (const auto& size : std::filesystem::directory_iterator(test::vector_path("post"))) {
    if (!size.is_directory()) continue;
    for (const auto& folder : std::filesystem::directory_iterator(size))
      folders.push_back("post/" + size.path().filename().string() + "/" + folder.path().filename().string());
  }
  std::ranges::sort(folders);
  return folders;
}

PostProof proof_of(const nlohmann::json& item) {
  const bool winning = item.at("type") == "winning";
  const bool late = item.at("api_version") == "1.2.0";
  return {winning ? PostKind::winning : PostKind::window, late ? ApiVersion::v1_2 : ApiVersion::v1_0,
          &sector_shape(item.at("sector_size").get<u64>())};
}

/// A file that may have been packed.
std::vector<u8> packed_bytes(const std::string& name) {
  return test::vector_bytes(std::filesystem::exists(test::vector_path(name)) ? name : name + ".xz");
}

std::vector<std::string> proofs_of(const std::string& folder, const nlohmann::json& item) {
  std::vector<std::string> proofs;
  for (const auto& sector : item.at("sectors"))
    proofs.push_back(text_of(packed_bytes(folder + "/" + sector.at("vanilla_proof").get<std::string>())));
  return proofs;
}

VanillaPost decode_case(const std::string& folder, const nlohmann::json& item) {
  const auto randomness = from_hex(item.at("randomness").get<std::string>());
  return decode_post({proof_of(item), randomness}, proofs_of(folder, item));
}

TEST(VanillaPost, EveryCaseHasThePublicInputsOfTheVectors) {
  std::size_t cases = 0;
  for (const std::string& folder : post_cases()) {
    const auto item = test::vector_json(folder + "/case.json");
    const VanillaPost post = decode_case(folder, item);
    EXPECT_EQ(fault_of([&](Hashing how) { check_post(post, ThreadPool::shared(), how); }), "") << folder;
    const auto& expected = item.at("public_inputs");
    ASSERT_EQ(post.partitions(), expected.size()) << folder;
    for (u32 k = 0; k < post.partitions(); ++k) {
      const auto inputs = post.public_inputs(k);
      ASSERT_EQ(inputs.size(), expected[k].size()) << folder;
      for (std::size_t i = 0; i < inputs.size(); ++i)
        ASSERT_EQ(to_hex(inputs[i].to_bytes()), expected[k][i]) << folder << ", input " << i;
    }
    ++cases;
  }
  EXPECT_GE(cases, 50u);
}

TEST(VanillaPost, WitnessesAreThoseOfTheVectors) {
  for (const std::string& folder : post_cases()) {
    const VanillaPost post = decode_case(folder, test::vector_json(folder + "/case.json"));
    if (!std::filesystem::exists(test::vector_path(folder + "/witness.json"))) continue;
    for (const auto& expected : test::vector_json(folder + "/witness.json").at("partitions")) {
      const PostInput input = post.input(expected.at("partition"));
      ThreadPool pool(2);
      for (const r1cs::Witness& witness : {post_witness(input), post_witness(input, pool)}) {
        EXPECT_EQ(witness.inputs().size(), expected.at("inputs")) << folder;
        EXPECT_EQ(witness.aux_count(), expected.at("aux")) << folder;
        EXPECT_EQ(inputs_sha256(witness), expected.at("inputs_sha256")) << folder;
        EXPECT_EQ(aux_sha256(witness), expected.at("aux_sha256")) << folder;
      }
    }
  }
}

TEST(VanillaPost, ChallengesOfBigSectorsAreThoseOfTheVectors) {
  const auto big = test::vector_json("post/big_public_inputs.json");
  for (auto item : big.at("cases")) {
    item["type"] =
        item.at("registered_proof").get<std::string>().find("Winning") == std::string::npos ? "window" : "winning";
    const Node randomness = node_of_hex(item.at("randomness"));
    for (const auto& sector : item.at("sectors"))
      EXPECT_EQ(post_challenges(proof_of(item), randomness, sector.at("sector_number"), sector.at("index")),
                sector.at("challenges").get<std::vector<u64>>())
          << item.at("registered_proof");
    EXPECT_EQ(PostProof::from_number(item.at("registered_proof_id")).name(), item.at("registered_proof"));
  }
}

/// The class of what happens to a request, in the words of the vectors.
std::string class_of(const PostContext& context, const std::vector<std::string>& proofs) {
  std::optional<VanillaPost> post;
  try {
    post = decode_post(context, proofs);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::invalid_input);
    return std::string_view(error.what()).find("cannot be read") != std::string_view::npos ? "decode error"
                                                                                           : "invalid input";
  }
  const auto check = [&](Hashing how) { check_post(*post, ThreadPool::shared(), how); };
  return fault_of(check).empty() ? "accepted" : "unsatisfied witness";
}

/// The request that a broken file belongs to, the file in the place of the one it stands for.
std::string class_of_item(const nlohmann::json& item) {
  const std::string base = item.at("base");
  const std::string folder = base.substr(0, base.rfind('/')), replaced = base.substr(base.rfind('/') + 1);
  auto request = test::vector_json(folder + "/case.json");
  std::vector<std::string> proofs = proofs_of(folder, request);
  const std::string broken = text_of(test::vector_bytes("malformed/" + item.at("file").get<std::string>()));
  for (std::size_t i = 0; i < proofs.size(); ++i)
    if (request.at("sectors")[i].at("vanilla_proof") == replaced) proofs[i] = broken;
  if (item.at("request").contains("count")) proofs.assign(item.at("request").at("count"), broken);
  request.update(item.at("request"));
  const auto randomness = from_hex(request.at("randomness").get<std::string>());
  return class_of({proof_of(request), randomness}, proofs);
}

TEST(MalformedPost, EachHasTheClassOfTheVectors) {
  const auto index = test::vector_json("malformed/index.json");
  std::size_t count = 0;
  for (const auto& item : index) {
    if (item.at("kind") != "window" && item.at("kind") != "winning") continue;
    ++count;
    const std::string found = class_of_item(item);
    const auto also = item.at("also_right").get<std::vector<std::string>>();
    EXPECT_TRUE(found == item.at("expect") || std::ranges::find(also, found) != also.end())
        << item.at("file") << " (" << item.at("what") << "): " << found << ", expected " << item.at("expect");
  }
  EXPECT_GE(count, 25u);
}

}  // namespace
}  // namespace cuzk::filecoin

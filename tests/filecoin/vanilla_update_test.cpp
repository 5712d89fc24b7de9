#include "filecoin/vanilla_update.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "base/error.h"
#include "filecoin/both_hashings.h"
#include "filecoin/circuits/update.h"
#include "filecoin/sector_vectors.h"
#include "filecoin/update_challenges.h"
#include "filecoin/witness_digest.h"

namespace cuzk::filecoin {
namespace {

/// Cases of which every partition is in the vectors.
const std::vector<std::string> kCases{"update/2KiB/from-data",  "update/2KiB/from-zero",  "update/2KiB/zero-to-zero",
                                      "update/4KiB/from-data",  "update/4KiB/from-zero",  "update/16KiB/from-data",
                                      "update/16KiB/from-zero", "update/32KiB/from-data", "update/32KiB/from-zero",
                                      "update/8MiB/from-data",  "update/8MiB/from-zero"};

Fr fr_of_hex(const nlohmann::json& text) { return Fr::from_bytes(node_of_hex(text)).value(); }

struct Request {
  const SectorShape* shape;
  std::vector<u8> comm_r_old, comm_d_new, comm_r_new;
  std::vector<std::string> proofs;

  VanillaUpdate decode() const { return decode_update({*shape, comm_r_old, comm_d_new, comm_r_new}, proofs); }
};

std::string packed_text(const std::string& name) {
  return test::vector_text(std::filesystem::exists(test::vector_path(name)) ? name : name + ".xz");
}

Request request_of(const nlohmann::json& item, std::vector<std::string> proofs) {
  const auto bytes = [&](const char* name) { return from_hex(item.at(name).get<std::string>()); };
  return {&sector_shape(item.at("sector_size").get<u64>()), bytes("comm_r_old"), bytes("comm_d_new"),
          bytes("comm_r_new"), std::move(proofs)};
}

Request request_of(const std::string& folder) {
  const auto item = test::vector_json(folder + "/case.json");
  std::vector<std::string> proofs;
  for (const auto& partition : item.at("partition_proofs"))
    proofs.push_back(packed_text(folder + "/" + partition.at("file").get<std::string>()));
  return request_of(item, std::move(proofs));
}

TEST(VanillaUpdate, EveryCaseHasThePublicInputsOfTheVectors) {
  for (const std::string& folder : kCases) {
    const VanillaUpdate update = request_of(folder).decode();
    EXPECT_EQ(fault_of([&](Hashing how) { check_update(update, ThreadPool::shared(), how); }), "") << folder;
    const auto item = test::vector_json(folder + "/case.json");
    for (u32 k = 0; k < update.partitions.size(); ++k) {
      const auto inputs = update.public_inputs(k);
      ASSERT_EQ(inputs.size(), 4u);
      for (std::size_t i = 0; i < inputs.size(); ++i)
        EXPECT_EQ(to_hex(inputs[i].to_bytes()), item.at("public_inputs")[k][i]) << folder;
      EXPECT_EQ(update_challenges(*update.shape, update.comm_r_new, k),
                item.at("partition_proofs")[k].at("challenges").get<std::vector<u64>>())
          << folder;
    }
  }
}

TEST(VanillaUpdate, WitnessesAreThoseOfTheVectors) {
  for (const std::string& folder : kCases) {
    const VanillaUpdate update = request_of(folder).decode();
    for (const auto& expected : test::vector_json(folder + "/witness.json").at("partitions")) {
      const auto witness = update_witness(*update.shape, update.input(expected.at("partition")));
      EXPECT_EQ(witness.aux_count(), expected.at("aux")) << folder;
      EXPECT_EQ(inputs_sha256(witness), expected.at("inputs_sha256")) << folder;
      EXPECT_EQ(aux_sha256(witness), expected.at("aux_sha256")) << folder;
    }
  }
}

TEST(VanillaUpdate, ChallengesAndRhosOfBigSectorsAreThoseOfTheVectors) {
  for (const auto& item : test::vector_json("update/big_public_inputs.json").at("cases")) {
    const SectorShape& shape = update_shape_of(item.at("registered_proof_id"));
    EXPECT_EQ(shape.bytes, item.at("sector_size"));
    const Fr comm_r_new = fr_of_hex(item.at("comm_r_new"));
    for (u32 k = 0; k < shape.update.partitions; ++k)
      EXPECT_EQ(update_challenges(shape, comm_r_new, k), item.at("challenges")[k].get<std::vector<u64>>());
    const Fr phi = update_phi(fr_of_hex(item.at("comm_d_new")), fr_of_hex(item.at("comm_r_old")));
    EXPECT_EQ(to_hex(phi.to_bytes()), item.at("phi"));
    for (const auto& rho : item.at("rhos"))
      EXPECT_EQ(to_hex(update_rho(phi, rho.at("high")).to_bytes()), rho.at("rho"));
  }
}

/// The class of what happens to a request, in the words of the vectors.
std::string class_of(const Request& request) {
  std::optional<VanillaUpdate> update;
  try {
    update = request.decode();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::invalid_input);
    return std::string_view(error.what()).find("cannot be read") != std::string_view::npos ? "decode error"
                                                                                           : "invalid input";
  }
  const auto check = [&](Hashing how) { check_update(*update, ThreadPool::shared(), how); };
  return fault_of(check).empty() ? "accepted" : "unsatisfied witness";
}

TEST(MalformedUpdate, EachHasTheClassOfTheVectors) {
  const auto index = test::vector_json("malformed/index.json");
  std::size_t count = 0;
  for (const auto& item : index) {
    if (item.at("kind") != "snap") continue;
    ++count;
    const std::string base = item.at("base"), folder = base.substr(0, base.rfind('/'));
    auto request = test::vector_json(folder + "/case.json");
    request.update(item.at("request"));
    const std::size_t copies = item.at("request").value("count", std::size_t{1});
    const std::string broken = test::vector_text("malformed/" + item.at("file").get<std::string>());
    const std::string found = class_of(request_of(request, std::vector<std::string>(copies, broken)));
    const auto also = item.at("also_right").get<std::vector<std::string>>();
    EXPECT_TRUE(found == item.at("expect") || std::ranges::find(also, found) != also.end())
        << item.at("file") << " (" << item.at("what") << "): " << found << ", expected " << item.at("expect");
  }
  EXPECT_GE(count, 17u);
}

}  // namespace
}  // namespace cuzk::filecoin

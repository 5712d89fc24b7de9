// The command line of `cuzk`: what it prints, its exit status, its errors. The toy circuit stands for all.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "apps/process.h"
#include "base/hex.h"
#include "support/vectors.h"

namespace cuzk {
namespace {

using nlohmann::json;
using test::Outcome;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;

class Cli : public testing::Test {
 protected:
  static Outcome cuzk(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), CUZK_PROGRAM);
    return test::run(arguments);
  }

  static json cuzk_json(std::vector<std::string> arguments) {
    arguments.push_back("--json");
    const auto outcome = cuzk(arguments);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return json::parse(outcome.out, nullptr, false);
  }

  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(folder / name, std::ios::binary) << text;
    return folder / name;
  }

  /// A toy key, from the vectors' toxic waste where that can be given, and the request of a partition.
  std::string make_key() const {
    std::vector<std::string> command{"setup", "toy", "--out", folder / "keys"};
#ifdef CUZK_INSECURE
    command.emplace_back("--insecure-toxic-waste");
    command.push_back(write("waste.json", test::vector_json("setup/toy.json")["toxic_waste"].dump()));
#endif
    EXPECT_EQ(cuzk(command).status, 0);
    return folder / "keys";
  }
  std::string request(std::size_t partition = 0) const {
    return write("request", test::vector_json("proofs/toy.json")["x"][partition].get<std::string>());
  }

  test::TemporaryFolder folder;
};

TEST_F(Cli, EveryCommandHasHelpWithAnExample) {
  for (const std::string command : {"prove", "verify", "witness", "circuit", "setup"}) {
    const auto outcome = cuzk({command, "--help"});
    EXPECT_EQ(outcome.status, 0);
    EXPECT_THAT(outcome.out, HasSubstr("Example: cuzk " + command));
  }
}

TEST_F(Cli, NamesACommandThatDoesNotExist) {
  for (const auto& arguments : {std::vector<std::string>{"nope"}, {"nope", "--help"}, {"keys", "nope"}}) {
    const auto outcome = cuzk(arguments);
    EXPECT_EQ(outcome.status, 2);
    EXPECT_THAT(outcome.err, HasSubstr("there is no command 'nope'"));
  }
}

TEST_F(Cli, VerifiesKeys) {
  const auto keys = make_key();
  EXPECT_EQ(cuzk_json({"keys", "verify", "--keys", keys, "--deep"})["keys"][0]["ok"], true);
  std::filesystem::resize_file(keys + "/toy.params", 1000);
  const auto outcome = cuzk({"keys", "verify", "--keys", keys});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.out, HasSubstr("toy.params"));
}

TEST_F(Cli, WrongUseIsStatus2) {
  EXPECT_EQ(cuzk({}).status, 2);
  EXPECT_EQ(cuzk({"nonsense"}).status, 2);
  EXPECT_EQ(cuzk({"prove", "porep"}).status, 2);
  EXPECT_EQ(cuzk({"prove", "nonsense", "file"}).status, 2);
  EXPECT_EQ(cuzk({"prove", "toy", "file", "--device", "abacus"}).status, 2);
  EXPECT_EQ(cuzk({"setup", "porep-3k", "--out", folder / "keys"}).status, 2);
}

#ifdef CUZK_SERVER
TEST_F(Cli, AnAddressThatIsNoneIsStatus2) {
  for (const auto& arguments : {std::vector<std::string>{"status", "--connect", "nowhere"},
                                {"serve", "--listen", "nowhere"},
                                {"serve", "--log-level", "loud"},
                                {"prove", "porep", "file", "--connect", "localhost:1,localhost:2"}}) {
    const auto outcome = cuzk(arguments);
    EXPECT_EQ(outcome.status, 2) << arguments[0];
    EXPECT_THAT(outcome.err, testing::AnyOf(HasSubstr("nowhere"), HasSubstr("loud"), HasSubstr("expected one")));
  }
}
#endif

TEST_F(Cli, OneProverIsChosen) {
  const auto file = write("c1", "{}");
  for (const char* const local : {"--keys=/nowhere", "--device=cpu", "--vram-limit=8GiB"}) {
    const auto outcome = cuzk({"prove", "porep", file, local, "--connect", "unix:///nowhere/cuzk.sock"});
    EXPECT_EQ(outcome.status, 2) << local;
    EXPECT_THAT(outcome.err, HasSubstr("--connect")) << local;
  }
  EXPECT_EQ(cuzk({"prove", "porep", file, "--request-id", "one"}).status, 2) << "it is a daemon's";
}

TEST_F(Cli, TheFileForTheProofIsTriedBeforeTheWork) {
  const auto outcome = cuzk({"prove", "toy", request(), "--keys", folder / "no keys", "--out", folder / "no/proof"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("no/proof"), Not(HasSubstr("toy.params"))));
}

TEST_F(Cli, CheckpointsThatAgreeAreSaidTo) {
  const auto file = write("checkpoints", test::vector_text("r1cs/checkpoints/winning-2k.json.xz"));
  const auto outcome = cuzk({"circuit", "winning-2k", "--checkpoints", file});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("agree with " + file));
  EXPECT_EQ(cuzk_json({"circuit", "winning-2k", "--checkpoints", file})["checkpoints_agree"], true);
  const auto other = cuzk({"circuit", "winning-4k", "--checkpoints", file});
  EXPECT_EQ(other.status, 1);
  EXPECT_THAT(other.err, HasSubstr("the first difference"));
}

TEST_F(Cli, ARequestFileMustSayItsProofType) {
  const auto outcome = cuzk({"witness", "winning", write("request.json", R"({"vanilla_proofs":["AAAA"]})")});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("request.json"), HasSubstr("registered_proof is missing")));
}

TEST_F(Cli, WorkThatFailsIsStatus1AndNamesTheFile) {
  const auto missing = cuzk({"witness", "toy", folder / "absent"});
  EXPECT_EQ(missing.status, 1);
  EXPECT_THAT(missing.out, IsEmpty());
  EXPECT_THAT(missing.err, AllOf(HasSubstr("absent"), HasSubstr("No such file")));
  const auto wrong = cuzk({"witness", "toy", write("short", "abc")});
  EXPECT_EQ(wrong.status, 1);
  EXPECT_THAT(wrong.err, AllOf(HasSubstr("short"), HasSubstr("partition 0"), HasSubstr("3 characters")));
}

TEST_F(Cli, CircuitPrintsTheFiguresOfTheVectors) {
  const auto circuit = cuzk_json({"circuit", "toy", "--digest"});
  EXPECT_EQ(circuit["circuit"], "toy");
  EXPECT_EQ(circuit["inputs"], 2);
  EXPECT_EQ(circuit["aux"], 3);
  EXPECT_EQ(circuit["constraints"], 5);
  EXPECT_EQ(circuit["domain"], 8);
  EXPECT_EQ(circuit["density"], (json{{"a_aux", 3}, {"b_inputs", 1}, {"b_aux", 1}}));
  EXPECT_EQ(circuit["sha256"].get<std::string>().size(), 64u);
  const auto unknown = cuzk({"circuit", "porep-3k"});
  EXPECT_EQ(unknown.status, 2);
  EXPECT_THAT(unknown.err, AllOf(HasSubstr("there is no circuit 'porep-3k'"), HasSubstr("porep-2k")));
}

#ifdef CUZK_INSECURE
TEST_F(Cli, SetupFromToxicWasteIsTheVectorsKey) {
  const auto waste = write("waste.json", test::vector_json("setup/toy.json")["toxic_waste"].dump());
  const auto made = cuzk_json({"setup", "toy", "--out", folder / "keys", "--insecure-toxic-waste", waste});
  const auto expected = test::vector_json("setup/toy.json");
  for (const char* file : {"params", "vk"}) {
    EXPECT_EQ(made[file]["size"], expected[file]["size"]);
    EXPECT_EQ(made[file]["sha256"], expected[file]["sha256"]);
    EXPECT_EQ(made[file]["blake2b"], expected[file]["blake2b512_first16"]);
  }
}
#endif

TEST_F(Cli, SetupSaysThatItsKeysAreNotForTheNetwork) {
  const auto outcome = cuzk({"setup", "toy", "--out", folder / "keys"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.err, HasSubstr("WARNING"));
}

#ifdef CUZK_INSECURE
TEST_F(Cli, SetupNamesTheScalarThatIsWrong) {
  auto waste = test::vector_json("setup/toy.json")["toxic_waste"];
  waste["gamma"] = std::string(64, 'f');
  const auto outcome =
      cuzk({"setup", "toy", "--out", folder / "keys", "--insecure-toxic-waste", write("waste.json", waste.dump())});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("waste.json"), HasSubstr("gamma"), Not(HasSubstr("ffff"))));
}
#endif

TEST_F(Cli, ProvesAndVerifies) {
  const auto keys = make_key();
  const auto proof = folder / "proof.bin";
  const auto made = cuzk_json({"prove", "toy", request(), "--keys", keys, "--out", proof});
  EXPECT_EQ(made["verified"], true);
  EXPECT_EQ(made["partitions"], 1);
  EXPECT_EQ(made["proof"].get<std::string>().size(), 384u);
  EXPECT_TRUE(made["timings_ms"].contains("prove"));
  EXPECT_EQ(std::filesystem::file_size(proof), 192u);
  EXPECT_EQ(cuzk_json({"verify", "toy", request(), proof, "--keys", keys})["valid"], true);
}

#ifdef CUZK_INSECURE
TEST_F(Cli, ProofsWithGivenRAndSAreThoseOfTheVectors) {
  const auto vector = test::vector_json("proofs/toy.json")["partitions"][0]["proofs"][0];
  const auto made = cuzk_json({"prove", "toy", request(), "--keys", make_key(), "--insecure-fixed-rs",
                               vector["r"].get<std::string>(), vector["s"].get<std::string>()});
  EXPECT_EQ(made["proof"], vector["proof"]);
}
#endif

#ifdef CUZK_INSECURE
TEST_F(Cli, VerifyGivesTheReasonOfAProofThatDoesNotHold) {
  const auto keys = make_key();
  const auto proof = write("proof", test::vector_json("proofs/toy.json")["partitions"][1]["proofs"][0]["proof"]);
  const auto other = cuzk({"verify", "toy", request(0), proof, "--keys", keys, "--json"});
  EXPECT_EQ(other.status, 1);
  EXPECT_EQ(json::parse(other.out)["valid"], false);
  EXPECT_THAT(json::parse(other.out)["reason"].get<std::string>(), HasSubstr("partition 0"));
  EXPECT_EQ(cuzk({"verify", "toy", request(1), proof, "--keys", keys}).status, 0);
  const auto cut = cuzk({"verify", "toy", request(0), write("cut", std::string(100, '\1')), "--keys", keys});
  EXPECT_EQ(cut.status, 1);
}
#endif

TEST_F(Cli, AMissingKeySaysWhatToDo) {
  const auto outcome = cuzk({"prove", "toy", request(), "--keys", folder / "nowhere"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("toy.params"), HasSubstr("nowhere"), HasSubstr("cuzk setup toy --out")));
}

TEST_F(Cli, WitnessDigestsAreThoseOfTheVectors) {
  const auto vector = test::vector_json("proofs/toy.json")["partitions"][0];
  const auto witness = cuzk_json({"witness", "toy", request(), "--digest"});
  EXPECT_EQ(witness["sha256"], vector["sha256"]["witness"]);
  EXPECT_EQ(witness["a_sha256"], vector["sha256"]["a"]);
  EXPECT_EQ(witness["b_sha256"], vector["sha256"]["b"]);
  EXPECT_EQ(witness["c_sha256"], vector["sha256"]["c"]);
  EXPECT_EQ(witness["satisfied"], true);
  EXPECT_EQ(cuzk({"witness", "toy", request(), "--partition", "1"}).status, 2);
}

#ifndef CUZK_INSECURE
TEST_F(Cli, AProductionBuildHasNoSwitchesForTests) {
  for (const std::string command : {"prove", "setup", "serve"}) {
    const auto outcome = cuzk({command, "--help"});
    EXPECT_THAT(outcome.out, testing::Not(testing::AnyOf(HasSubstr("fixed-rs"), HasSubstr("toxic-waste"))));
  }
  const auto keys = make_key();
  const auto fixed = cuzk({"prove", "toy", request(), "--keys", keys, "--insecure-fixed-rs", "00", "00"});
  EXPECT_EQ(fixed.status, 2);
  EXPECT_EQ(cuzk({"setup", "toy", "--out", keys, "--insecure-toxic-waste", request()}).status, 2);
#ifdef CUZK_SERVER
  EXPECT_EQ(cuzk({"serve", "--insecure-toys", "--check"}).status, 2);
#endif
}
#endif

#ifdef CUZK_SERVER
TEST_F(Cli, ADaemonThatIsNotThereIsNamed) {
  const auto outcome = cuzk({"prove", "porep", write("c1", "{}"), "--connect", "unix:///nowhere/cuzk.sock"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.err, HasSubstr("unix:///nowhere/cuzk.sock"));
}
#else
TEST_F(Cli, ABuildWithoutTheServerSaysSo) {
  const auto outcome = cuzk({"prove", "porep", write("c1", "{}"), "--connect", "unix:///nowhere/cuzk.sock"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.err, HasSubstr("this build has no gRPC"));
}
#endif

}  // namespace
}  // namespace cuzk

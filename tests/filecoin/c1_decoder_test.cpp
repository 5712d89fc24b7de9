#include "filecoin/c1_decoder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "filecoin/base64.h"
#include "filecoin/sector_vectors.h"

namespace cuzk::filecoin {
namespace {

void append(std::string& text, const Fr& value) { text += to_hex(value.to_bytes()); }

void append(std::string& text, const gadgets::MerklePath& path) {
  for (const auto& step : path) {
    text += fmt::format("[{}", step.index);
    for (const Fr& sibling : step.siblings) append(text, sibling);
  }
}

/// All that was decoded, as one text.
std::string text_of(const VanillaPorep& porep) {
  std::string text =
      fmt::format("{} {} {} {} {} {} {}", porep.proof.name(), porep.sector_number, to_hex(porep.comm_r),
                  to_hex(porep.comm_d), to_hex(porep.replica_id), to_hex(porep.seed), to_hex(porep.ticket));
  for (const PorepInput& input : porep.partitions) {
    for (const Fr& value : {input.replica_id, input.comm_d, input.comm_r, input.comm_c, input.comm_r_last})
      append(text, value);
    for (const PorepChallenge& challenge : input.challenges) {
      text += fmt::format("node {}", challenge.node);
      append(text, challenge.data_leaf);
      for (const auto& path : {challenge.data_path, challenge.replica_path, challenge.column_path}) append(text, path);
      const auto columns = [&](std::span<const PorepColumn> parents) {
        for (const PorepColumn& column : parents) {
          for (const Fr& row : column.rows) append(text, row);
          append(text, column.path);
        }
      };
      columns(challenge.drg_parents);
      columns(challenge.expander_parents);
    }
  }
  return text;
}

std::string envelope(const std::string& phase1, u64 sector_size = 2048) {
  return fmt::format(R"({{"SectorNum":2,"Phase1Out":"{}","SectorSize":{}}})",
                     encode_base64(std::span(reinterpret_cast<const u8*>(phase1.data()), phase1.size())), sector_size);
}

/// The phase-1 text of the sector that tests break.
const std::string& good_phase1() {
  static const std::string text = [] {
    const auto body = nlohmann::json::parse(c1_of("2KiB/s2-v1_1"));
    const auto bytes = decode_base64(body.at("Phase1Out").get<std::string>());
    return std::string(bytes.begin(), bytes.end());
  }();
  return text;
}

/// The good request with one change to its phase-1 JSON, which is written anew.
template <class Change>
std::string changed(Change change) {
  auto phase1 = nlohmann::json::parse(good_phase1());
  change(phase1, phase1["vanilla_proofs"]["StackedDrg2KiBV1"]);
  return envelope(phase1.dump());
}

auto refused_saying(std::string_view words) {
  return testing::ThrowsMessage<Error>(testing::HasSubstr(std::string(words)));
}

TEST(C1Decoder, DecodesEverySector) {
  for (const auto& folder : kSectorFolders) {
    const VanillaPorep porep = decode_c1(c1_of(folder));
    const auto sector = sector_of(folder);
    const auto inputs = test::vector_json("sectors/" + folder + "/public_inputs.json");
    EXPECT_EQ(porep.sector_number, sector.at("sector_number"));
    EXPECT_EQ(to_hex(porep.replica_id), sector.at("replica_id"));
    EXPECT_EQ(to_hex(porep.ticket), sector.at("ticket"));
    ASSERT_EQ(porep.partitions.size(), sector.at("partitions"));
    for (std::size_t k = 0; k < porep.partitions.size(); ++k) {
      EXPECT_EQ(to_hex(porep.partitions[k].comm_c.to_bytes()), sector.at("comm_c"));
      EXPECT_EQ(to_hex(porep.partitions[k].comm_r_last.to_bytes()), sector.at("comm_r_last"));
      std::vector<u64> nodes;
      for (const auto& challenge : porep.partitions[k].challenges) nodes.push_back(challenge.node);
      EXPECT_EQ(nodes, inputs.at("challenges")[k].get<std::vector<u64>>()) << folder;
    }
  }
}

TEST(C1Decoder, TakesEveryWritingForTheSame) {
  const std::string expected = text_of(decode_c1(c1_of("2KiB/s2-v1_1")));
  for (const char* form : {"go-order", "sorted", "reversed", "unknown-fields"}) {
    const std::string name = fmt::format("sectors/2KiB/s2-v1_1/c1-{}.json.xz", form);
    EXPECT_EQ(text_of(decode_c1(test::vector_text(name))), expected) << form;
  }
  EXPECT_EQ(text_of(decode_c1(envelope(nlohmann::json::parse(good_phase1()).dump(2)))), expected);
  std::string escaped = c1_of("2KiB/s2-v1_1");
  const std::size_t place = escaped.find("Phase1Out") + 100;
  escaped.replace(place, 1, fmt::format("\\u{:04x}", static_cast<int>(escaped[place])));
  EXPECT_EQ(text_of(decode_c1(escaped)), expected);
}

TEST(C1Decoder, ChecksBase64WithEscapesAsStrictly) {
  const std::string good = c1_of("2KiB/s2-v1_1");
  const std::size_t place = good.find("Phase1Out") + 100;
  for (const std::string wrong : {"\\u003d", "\\u0000", "\\n", "\\/\\/", "\\u002d"})
    EXPECT_THROW(decode_c1(std::string(good).replace(place, 1, wrong)), Error) << wrong;
  std::string early = good;  // padding where a piece of 2048 characters ends
  early.replace(early.find("Phase1Out") + 12 + 2047, 1, "\\u003d");
  EXPECT_THROW(decode_c1(early), Error);
}

TEST(C1Decoder, DecodesA32GiBSector) {
  const VanillaPorep porep = decode_c1(test::vector_text("sparse/porep-32g.c1.json.xz"));
  ASSERT_EQ(porep.partitions.size(), 10u);
  EXPECT_EQ(porep.partitions[9].challenges.size(), 18u);
  EXPECT_EQ(porep.partitions[9].challenges[17].expander_parents[7].rows.size(), 11u);
}

TEST(C1Decoder, RefusesEveryCutRequest) {
  const std::string body = c1_of("2KiB/s2-v1_1");
  for (std::size_t length = 0; length < body.size(); length += 977)
    EXPECT_THROW(decode_c1(std::string_view(body).substr(0, length)), Error) << length;
  for (std::size_t length = 0; length < good_phase1().size(); length += 1009)
    EXPECT_THROW(decode_c1(envelope(good_phase1().substr(0, length))), Error) << length;
}

TEST(C1Decoder, NamesTheChallengeWhoseLabelIsNotCanonical) {
  const auto body = changed([](auto&, auto& partitions) {
    auto& rows = partitions[0][1]["replica_column_proofs"]["exp_parents"][3]["column"]["rows"];
    rows[1] = std::vector<int>(32, 255);
  });
  EXPECT_THAT([&] { decode_c1(body); },
              refused_saying("partition 0 challenge 1 replica_column_proofs exp_parents number 3 column rows layer 2: "
                             "label: it is not below the field's modulus"));
}

TEST(C1Decoder, RefusesWrongCountsNamingThem) {
  const auto path = [](auto& proof) -> auto& { return proof["data"]["Single"]["path"]["path"]; };
  EXPECT_THAT([&] { decode_c1(changed([](auto&, auto& p) { p.push_back(p[0]); })); }, refused_saying("2 partitions"));
  EXPECT_THAT([&] { decode_c1(changed([](auto&, auto& p) { p[0].push_back(p[0][0]); })); },
              refused_saying("more than 2 challenges"));
  EXPECT_THAT([&] { decode_c1(changed([&](auto&, auto& p) { path(p[0][0]["comm_d_proofs"]).erase(5); })); },
              refused_saying("comm_d_proofs: a path of 5 levels, expected 6"));
  EXPECT_THAT([&] { decode_c1(changed([&](auto&, auto& p) { path(p[0][0]["comm_d_proofs"])[2]["index"] = 2; })); },
              refused_saying("level 2: the index 2, expected below 2"));
  EXPECT_THAT([&] { decode_c1(changed([&](auto&, auto& p) { p[0][1]["labeling_proofs"][0]["node"] = 64; })); },
              refused_saying("node: 64, expected below 64"));
  EXPECT_THAT(
      [&] {
        decode_c1(changed([&](auto&, auto& p) {
          auto& rows = p[0][0]["replica_column_proofs"]["drg_parents"][5]["column"]["rows"];
          rows.push_back(rows[0]);
        }));
      },
      refused_saying("drg_parents number 5 column rows layer 3: more than 2 layers"));
}

TEST(C1Decoder, RefusesTwoRootsInAPartition) {
  const auto body = changed([](auto&, auto& partitions) {
    partitions[0][1]["comm_r_last_proof"]["data"]["Single"]["root"][0] =
        partitions[0][1]["comm_r_last_proof"]["data"]["Single"]["root"][0].template get<int>() ^ 1;
  });
  EXPECT_THAT([&] { decode_c1(body); }, refused_saying("challenge 1 comm_r_last_proof: root: it differs"));
}

TEST(C1Decoder, RefusesDuplicatesAndOtherSizes) {
  EXPECT_THAT([] { decode_c1(envelope(good_phase1(), 4096)); }, refused_saying("SectorSize is 4096"));
  std::string twice = good_phase1();
  twice.insert(1, R"("seed":[1],)");
  EXPECT_THROW(decode_c1(envelope(twice)), Error);
}

/// The decoder guesses where Phase1Out ends: a wrong guess costs time and nothing else.
TEST(C1Decoder, TakesFieldsOfAnyLengthBesidePhase1) {
  const std::string plain = envelope(good_phase1()), expected = text_of(decode_c1(plain));
  const std::string note = fmt::format(R"("note":["{}",""])", std::string(10'000, 'x'));
  const std::string inside = plain.substr(1, plain.size() - 2);
  EXPECT_EQ(text_of(decode_c1(fmt::format("{{{},{}}}", note, inside))), expected);
  EXPECT_EQ(text_of(decode_c1(fmt::format("{{{},{}}}", inside, note))), expected);
}

}  // namespace
}  // namespace cuzk::filecoin

#include "filecoin/c1_decoder.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "filecoin/base64.h"
#include "filecoin/circuits/blank_path.h"
#include "filecoin/json_reader.h"

namespace cuzk::filecoin {
namespace {

using gadgets::MerklePath;
using gadgets::MerkleStep;
using Place = JsonReader::Place;

constexpr std::size_t kMostLevels = 40, kMostSiblings = 15;  // of any path: what is above is not kept

/// A Merkle proof as it is written. What the circuit does not use stays bytes.
struct ProofText {
  std::size_t segments = 1;  ///< 1 Single, 2 Sub, 3 Top
  Node root{}, leaf{};
  MerklePath path;
};

std::size_t segments_of(const SectorShape& shape) {
  return shape.arities.top != 0 ? 3 : shape.arities.sub != 0 ? 2 : 1;
}

/// Reads Phase1Out, of at most `limit` bytes.
class Phase1Reader {
 public:
  Phase1Reader(ByteSource bytes, std::size_t limit, std::stop_token stop)
      : json_(std::move(bytes), "Phase1Out", limit), stop_(std::move(stop)) {}
  Phase1Reader(const Phase1Reader&) = delete;
  Phase1Reader& operator=(const Phase1Reader&) = delete;

  VanillaPorep read() {
    json_.fields({"registered_proof", "vanilla_proofs", "comm_r", "comm_d", "replica_id", "seed", "ticket"},
                 [this](std::size_t field) { read_field(field); });
    json_.finish();
    check_counts();
    fill_commitments();
    return std::move(result_);
  }

 private:
  void read_field(std::size_t field) {
    switch (field) {
      case 0: result_.proof = registered_proof(); break;
      case 1: vanilla_proofs(); break;
      case 2: result_.comm_r = json_.node(); break;
      case 3: result_.comm_d = json_.node(); break;
      case 4: result_.replica_id = json_.node(); break;
      case 5: result_.seed = json_.node(); break;
      default: result_.ticket = json_.node();
    }
  }

  SealProof registered_proof() {
    const std::string name(json_.string());
    try {
      return SealProof::from_name(name);
    } catch (const Error& error) {
      json_.fail(error.what());
    }
  }

  void vanilla_proofs() {
    json_.variant([this](const std::string& tag) {
      tag_ = tag;
      const auto shapes = sector_shapes();
      const auto found = std::ranges::find_if(shapes, [&](const SectorShape& shape) {
        return SealProof{SealVariant::v1, &shape}.size_tag() == tag;
      });
      if (found == shapes.end()) json_.fail("the tag is not the name of a size's first proof");
      shape_ = &*found;
      column_levels_ = poseidon_tree_levels(*shape_);
      data_levels_.assign(shape_->log2_nodes(), 2);
      json_.array([this](std::size_t i) { partition(i); });
    });
  }

  void partition(std::size_t number) {
    const Place here(json_, "partition", number);
    if (number >= shape_->non_interactive_porep.partitions)
      json_.invalid(fmt::format("more than {} partitions", shape_->non_interactive_porep.partitions));
    result_.partitions.emplace_back();
    PorepInput& input = result_.partitions.back();
    input.challenges.reserve(shape_->porep.per_partition);
    const std::size_t count = json_.array([&](std::size_t i) {
      const Place there(json_, "challenge", i);
      if (i >= shape_->porep.per_partition)
        json_.invalid(fmt::format("more than {} challenges", shape_->porep.per_partition));
      if (stop_.stop_requested()) throw Error(Code::cancelled, "reading of a request: stopped");
      input.challenges.emplace_back();
      challenge(input);
    });
    if (count != shape_->porep.per_partition)
      json_.invalid(fmt::format("{} challenges, expected {}", count, shape_->porep.per_partition));
  }

  void challenge(PorepInput& input) {
    PorepChallenge& target = input.challenges.back();
    json_.fields({"comm_d_proofs", "comm_r_last_proof", "replica_column_proofs", "labeling_proofs", "encoding_proof"},
                 [&](std::size_t field) {
                   switch (field) {
                     case 0: data_proof(target); break;
                     case 1: target.replica_path = rooted_path(input.challenges.size(), input.comm_r_last); break;
                     case 2: column_proofs(input); break;
                     case 3: labeling_proofs(target); break;
                     default: label_proof();
                   }
                 });
  }

  void data_proof(PorepChallenge& target) {
    ProofText proof = merkle_proof();
    check_levels(proof, 1, data_levels_);
    target.data_leaf = element("leaf", proof.leaf);
    target.data_path = std::move(proof.path);
  }

  /// A path whose root is that of the whole tree; all challenges of a partition must have the same.
  MerklePath rooted_path(std::size_t challenges, Fr& root) {
    ProofText proof = merkle_proof();
    check_levels(proof, segments_of(*shape_), column_levels_);
    const Fr found = element("root", proof.root);
    if (challenges == 1) root = found;
    if (!(found == root)) json_.invalid("root: it differs from that of challenge 0");
    return std::move(proof.path);
  }

  void column_proofs(PorepInput& input) {
    PorepChallenge& target = input.challenges.back();
    json_.fields({"c_x", "drg_parents", "exp_parents"}, [&](std::size_t field) {
      if (field == 0) {
        target.stated_labels.reserve(shape_->layers);
        read_column([&](std::size_t, const Node& node) { target.stated_labels.push_back(node); },
                    [&] { target.column_path = rooted_path(input.challenges.size(), input.comm_c); });
      } else if (field == 1) {
        parents(target.drg_parents);
      } else {
        parents(target.expander_parents);
      }
    });
  }

  void parents(std::span<PorepColumn> columns) {
    const std::size_t count = json_.array([&](std::size_t i) {
      const Place here(json_, "number", i);
      if (i >= columns.size()) json_.invalid(fmt::format("more than {} parents", columns.size()));
      PorepColumn& column = columns[i];
      column.rows.resize(shape_->layers);
      read_column([&](std::size_t row, const Node& node) { column.rows[row] = element("label", node); },
                  [&] {
                    ProofText proof = merkle_proof();
                    check_levels(proof, segments_of(*shape_), column_levels_);
                    column.path = std::move(proof.path);
                  });
    });
    if (count != columns.size()) json_.invalid(fmt::format("{} parents, expected {}", count, columns.size()));
  }

  template <class OnRow, class OnProof>
  void read_column(OnRow on_row, OnProof on_proof) {
    json_.fields({"column", "inclusion_proof"}, [&](std::size_t field) {
      if (field == 1) return on_proof();
      json_.fields({"index", "rows"}, [&](std::size_t part) {
        if (part == 0) {
          json_.number(~u32{0});
        } else {
          rows(on_row);
        }
      });
    });
  }

  template <class OnRow>
  void rows(OnRow on_row) {
    const std::size_t count = json_.array([&](std::size_t row) {
      const Place here(json_, "layer", row + 1);
      if (row >= shape_->layers) json_.invalid(fmt::format("more than {} layers", shape_->layers));
      on_row(row, json_.node());
    });
    if (count != shape_->layers) json_.invalid(fmt::format("{} layers, expected {}", count, shape_->layers));
  }

  void labeling_proofs(PorepChallenge& target) {
    const std::size_t count = json_.array([&](std::size_t i) {
      const Place here(json_, "number", i);
      const u64 node = label_proof();
      if (i == 0) target.node = node;
    });
    if (count != shape_->layers)
      json_.invalid(fmt::format("{} proofs, expected one a layer: {}", count, shape_->layers));
  }

  /// Gives the node; the circuit takes the parents from their columns.
  u64 label_proof() {
    u64 node = 0;
    json_.fields({"parents", "layer_index", "node"}, [&](std::size_t field) {
      if (field == 0) {
        const std::size_t count = json_.array([this](std::size_t) { json_.node(); });
        if (count != kHashedParents) json_.invalid(fmt::format("{} labels, expected {}", count, kHashedParents));
      } else if (field == 1) {
        json_.number(~u32{0});
      } else {
        node = json_.number();
        if (node >= shape_->nodes()) json_.invalid(fmt::format("{}, expected below {}", node, shape_->nodes()));
      }
    });
    return node;
  }

  ProofText merkle_proof() {
    ProofText proof;
    json_.fields({"data"}, [&](std::size_t) {
      json_.variant([&](const std::string& tag) {
        proof.segments = tag == "Single" ? 1 : tag == "Sub" ? 2 : tag == "Top" ? 3 : 0;
        if (proof.segments == 0) json_.fail("the tag is none of Single, Sub, Top");
        read_segments(proof);
      });
    });
    return proof;
  }

  void read_segments(ProofText& proof) {
    std::array<std::vector<MerkleStep>, 3> parts;
    const auto on_field = [&](std::size_t field) {
      if (field == 0) {
        proof.root = json_.node();
      } else if (field == 1) {
        proof.leaf = json_.node();
      } else {
        inclusion_path(parts[field - 2]);
      }
    };
    switch (proof.segments) {
      case 1: json_.fields({"root", "leaf", "path"}, on_field); break;
      case 2: json_.fields({"root", "leaf", "base_proof", "sub_proof"}, on_field); break;
      default: json_.fields({"root", "leaf", "base_proof", "sub_proof", "top_proof"}, on_field);
    }
    proof.path.reserve(parts[0].size() + parts[1].size() + parts[2].size());
    for (auto& part : parts) std::ranges::move(part, std::back_inserter(proof.path));
  }

  void inclusion_path(std::vector<MerkleStep>& path) {
    json_.fields({"path"}, [&](std::size_t) {
      json_.array([&](std::size_t level) {
        const Place here(json_, "level", level);
        if (level >= kMostLevels) json_.invalid(fmt::format("more than {} levels", kMostLevels));
        path.push_back(step());
      });
    });
  }

  MerkleStep step() {
    MerkleStep step;
    json_.fields({"hashes", "index"}, [&](std::size_t field) {
      if (field == 1) {
        step.index = static_cast<u32>(std::min<u64>(json_.number(), ~u32{0}));
        return;
      }
      std::array<Fr, kMostSiblings> siblings;
      const std::size_t count = json_.array([&](std::size_t i) {
        if (i >= kMostSiblings) json_.invalid(fmt::format("more than {} siblings", kMostSiblings));
        const Node node = json_.node();
        const Place here(json_, "sibling", i);
        siblings[i] = element("value", node);
      });
      step.siblings.assign(siblings.begin(), siblings.begin() + static_cast<std::ptrdiff_t>(count));
    });
    return step;
  }

  void check_levels(const ProofText& proof, std::size_t segments, const std::vector<u32>& arities) {
    if (proof.segments != segments)
      json_.invalid(fmt::format("a proof of {} trees, expected {}", proof.segments, segments));
    if (proof.path.size() != arities.size())
      json_.invalid(fmt::format("a path of {} levels, expected {}", proof.path.size(), arities.size()));
    for (std::size_t level = 0; level < arities.size(); ++level) {
      const Place here(json_, "level", level);
      const MerkleStep& step = proof.path[level];
      if (step.siblings.size() + 1 != arities[level])
        json_.invalid(fmt::format("{} siblings, expected {}", step.siblings.size(), arities[level] - 1));
      if (step.index >= arities[level])
        json_.invalid(fmt::format("the index {}, expected below {}", step.index, arities[level]));
    }
  }

  Fr element(std::string_view name, const Node& node) {
    if (const auto value = Fr::from_bytes(node)) return *value;
    json_.invalid(fmt::format("{}: it is not below the field's modulus", name));
  }

  void check_counts() {
    const SealProof& proof = result_.proof;
    if (proof.shape != shape_)
      throw invalid_input("Phase1Out: the vanilla proofs are those of {}, registered_proof is {}", tag_, proof.name());
    if (result_.partitions.size() != proof.challenges().partitions)
      throw invalid_input("Phase1Out: vanilla_proofs: {} partitions, {} has {}", result_.partitions.size(),
                          proof.name(), proof.challenges().partitions);
    if (result_.comm_d == Node{}) throw invalid_input("Phase1Out: comm_d is zero");
    if (result_.comm_r == Node{}) throw invalid_input("Phase1Out: comm_r is zero");
    if (result_.seed == Node{}) throw invalid_input("Phase1Out: seed is zero");
  }

  void fill_commitments() {
    const auto convert = [](std::string_view name, const Node& node) {
      if (const auto value = Fr::from_bytes(node)) return *value;
      throw invalid_input("Phase1Out: {} is not below the field's modulus", name);
    };
    const Fr replica_id = convert("replica_id", result_.replica_id);
    const Fr comm_d = convert("comm_d", result_.comm_d), comm_r = convert("comm_r", result_.comm_r);
    for (PorepInput& input : result_.partitions) {
      input.replica_id = replica_id;
      input.comm_d = comm_d;
      input.comm_r = comm_r;
    }
  }

  JsonReader json_;
  const std::stop_token stop_;
  VanillaPorep result_{};
  std::string tag_;
  const SectorShape* shape_ = nullptr;
  std::vector<u32> data_levels_, column_levels_;
};

/// The next bytes of Phase1Out, which its errors name.
std::size_t decode(Base64Decoder& base64, std::span<u8> into) {
  try {
    return base64.read(into);
  } catch (const Error& error) {
    throw invalid_input("Phase1Out: cannot be read: {}", error.what());
  }
}

/// Decodes base64 whose characters come in pieces, because there are escapes between them.
class PieceDecoder {
 public:
  explicit PieceDecoder(JsonReader& json) : json_(json) { take_ahead(); }

  std::size_t read(std::span<u8> into) {
    if (decoder_)
      if (const std::size_t count = decode(*decoder_, into)) return count;
    if (ahead_.empty()) return 0;
    characters_ = ahead_.substr(0, kCharacters);
    ahead_.erase(0, kCharacters);
    take_ahead();
    if (!ahead_.empty() && characters_.ends_with('='))
      throw invalid_input("Phase1Out: cannot be read: base64: padding before the end");
    return decode(decoder_.emplace(characters_), into);
  }

 private:
  static constexpr std::size_t kCharacters = 2048;  // a multiple of 4

  void take_ahead() {
    std::array<u8, 64> piece{};
    while (!ended_ && ahead_.size() < kCharacters) {
      const std::size_t count = json_.string_piece(piece);
      ahead_.append(piece.begin(), piece.begin() + count);
      ended_ = count == 0;
    }
  }

  JsonReader& json_;
  std::string characters_, ahead_;
  std::optional<Base64Decoder> decoder_;
  bool ended_ = false;
};

VanillaPorep read_base64(std::string_view text, const std::stop_token& stop) {
  Base64Decoder base64(text);
  return Phase1Reader([&](std::span<u8> into) { return decode(base64, into); }, text.size() / 4 * 3, stop).read();
}

/// Reads it without a first pass that looks for its end; nothing, and nothing read, where that does not go. What is decoded
/// to its end is base64, so holds no quotation mark.
std::optional<VanillaPorep> read_guessed(JsonReader& json, const std::stop_token& stop) {
  const JsonReader before = json;
  try {
    if (const auto text = json.guessed_string()) return read_base64(*text, stop);
  } catch (const Error&) {  // the slower way says what is wrong, from the first fault on
    json = before;
  }
  return std::nullopt;
}

VanillaPorep read_phase1(JsonReader& json, std::size_t body_bytes, const std::stop_token& stop) {
  if (auto read = read_guessed(json, stop)) return std::move(*read);
  if (const auto text = json.plain_string()) return read_base64(*text, stop);
  PieceDecoder pieces(json);
  return Phase1Reader([&](std::span<u8> into) { return pieces.read(into); }, body_bytes / 4 * 3, stop).read();
}

}  // namespace

VanillaPorep decode_c1(std::string_view body, const std::stop_token& stop) {
  JsonReader json(body, "vanilla_proof");
  std::optional<VanillaPorep> phase1;
  u64 sector_number = 0, sector_size = 0;
  json.fields({"SectorNum", "Phase1Out", "SectorSize"}, [&](std::size_t field) {
    switch (field) {
      case 0: sector_number = json.number(); break;
      case 1: phase1 = read_phase1(json, body.size(), stop); break;
      default: sector_size = json.number();
    }
  });
  json.finish();
  VanillaPorep porep = std::move(phase1).value();  // there: fields() refuses an object without one of them
  porep.sector_number = sector_number;
  if (sector_size != porep.proof.shape->bytes)
    throw invalid_input("vanilla_proof: SectorSize is {}, registered_proof is {}", sector_size, porep.proof.name());
  return porep;
}

}  // namespace cuzk::filecoin

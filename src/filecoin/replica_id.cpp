#include "filecoin/replica_id.h"

#include "hash/poseidon.h"

namespace cuzk::filecoin {

Node prover_id(u64 miner_id) {
  Node id{};
  std::size_t length = 0;
  do {
    id[length] = static_cast<u8>(miner_id & 0x7f);
    miner_id >>= 7;
    if (miner_id != 0) id[length] |= 0x80;
    ++length;
  } while (miner_id != 0);
  return id;
}

Node replica_id(const Node& prover_id, u64 sector_number, const Node& ticket, const Node& comm_d,
                const Node& porep_id) {
  std::array<u8, 8> number;
  for (std::size_t i = 0; i < number.size(); ++i) number[i] = static_cast<u8>(sector_number >> (56 - 8 * i));
  Sha256 hash;
  hash.update(prover_id).update(number).update(ticket).update(comm_d).update(porep_id);
  return clear_top_bits(hash.finish());
}

Fr comm_r(const Fr& comm_c, const Fr& comm_r_last) {
  const std::array<Fr, 2> inputs{comm_c, comm_r_last};
  return poseidon(inputs);
}

}  // namespace cuzk::filecoin

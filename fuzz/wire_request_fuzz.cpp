/// Any bytes as a SubmitProofRequest of the wire, to the statement that it makes.
#include <google/protobuf/stubs/logging.h>

#include "cuzk/v1/proving.pb.h"
#include "engine/statements/kind_decoder.h"
#include "fuzzing.h"
#include "server/messages.h"

extern "C" int LLVMFuzzerTestOneInput(const cuzk::u8* data, std::size_t size) {
  using namespace cuzk;
  static const google::protobuf::LogSilencer quiet;  // it tells of each text that is no UTF-8
  static engine::CircuitCatalog circuits;
  v1::SubmitProofRequest message;
  if (!message.ParseFromArray(data, static_cast<int>(size))) return 0;
  fuzz::expect_value_or_invalid_input([&] {
    const auto request = server::take_request(std::move(message));
    engine::KindDecoder(circuits).decode(request.input);
  });
  return 0;
}

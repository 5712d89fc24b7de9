#include "server/submit_call.h"

#include "server/messages.h"

namespace cuzk::server {

void SubmitCall::arrive() {
  if (--missing_ == 0) reactor_->Finish(error_ == nullptr ? grpc::Status::OK : rpc_status(error_));
}

}  // namespace cuzk::server

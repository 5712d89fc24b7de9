/// What the daemon tells systemd (Type=notify); nothing happens where nobody asked to be told.
#pragma once

#include <string_view>

namespace cuzk::server {

/// Sends one message, such as "READY=1" or "STATUS=...", to the socket that NOTIFY_SOCKET names: the protocol of
/// sd_notify(3). A message that cannot be sent is logged and no error: the service does its work all the same.
void notify_service_manager(std::string_view message);

/// "RELOADING=1" with the time that Type=notify-reload wants; "READY=1" has to follow.
void notify_reloading();

}  // namespace cuzk::server

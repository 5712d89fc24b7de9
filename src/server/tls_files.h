/// The files of TLS as they lie on the disk: whether a server could use them. Looked at before they are used, because
/// gRPC itself says of a wrong file only that a handshake failed.
#pragma once

#include <string>

#include "server/config.h"

namespace cuzk::server {

/// Throws Error naming the file: not_found; invalid_input for one that holds no certificate or no key, a key that does
/// not belong to its certificate, one of two files without the other, or a folder without lists of revoked certificates.
void check_tls_files(const TlsFiles& files);

/// How many lists of revoked certificates a folder has; for people. Throws Error{invalid_input} naming a file that is none,
/// or whose time is up, and for a folder without any.
std::string describe_revoked(const std::filesystem::path& folder);

/// "CN=..., until 2027-01-31": the server's certificate for people.
std::string describe_certificate(const std::filesystem::path& file);

/// Days until it is no longer valid; negative after that.
int days_left(const std::filesystem::path& certificate);

}  // namespace cuzk::server

/// How many files the process may have open: every client's connection is one.
#pragma once

namespace cuzk::server {

/// As many as its hard limit says; many systems start programs with 1024.
void allow_many_files();

}  // namespace cuzk::server

/// The configuration as files for people, made of the tables of keys and of what they mean.
#pragma once

#include <string>

namespace cuzk::server {

/// packaging/cuzk.toml: every key with its default, behind a #, below what it means.
std::string example_config();

/// docs/configuration-keys.md: a table for each section.
std::string config_reference();

}  // namespace cuzk::server

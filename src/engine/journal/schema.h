/// The tables of the journal and how an older database becomes a newer one.
#pragma once

#include <span>

#include "engine/journal/database.h"

namespace cuzk::engine {

/// The statements that take a database from version i to version i + 1, for each i. Versions that were released are
/// never changed, only added to.
std::span<const char* const> journal_migrations();

/// Takes the database to the newest version, one transaction for each step. Its version is SQLite's `user_version`.
/// Throws Error: unavailable (a newer program wrote it), invalid_input (it is a database of something else).
void migrate(Database& database, std::span<const char* const> migrations);

}  // namespace cuzk::engine

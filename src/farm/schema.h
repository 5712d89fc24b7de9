/// The tables and functions of a farm, in the schema `cuzk` of a database.
#pragma once

namespace cuzk::farm {

/// What the tables are; a database with a higher one is another program's.
inline constexpr int kSchemaVersion = 2;

/// Makes what is not there. Run under an advisory lock, in one transaction.
extern const char* const kSchemaText;

}  // namespace cuzk::farm

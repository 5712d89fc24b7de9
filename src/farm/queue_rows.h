/// Rows of the queue's tables as values. Included by the queue's sources alone.
#pragma once

#include <string>

#include "farm/database.h"
#include "farm/queue.h"

namespace cuzk::farm {

/// A row of kSelectJob or one of the lists.
FarmJob job_of(const pqxx::row& row);

/// A row of the statement in FarmQueue::claim.
Claimed claimed_of(const pqxx::row& row);

InputDigest digest_of(const pqxx::field& field);

/// Words of the tables; an unknown one is Error{internal}.
JobState state_of(std::string_view word);  ///< "leased" is running
std::string word_of(JobState state);
Kind kind_of(std::string_view word);
Code code_of(std::string_view word);

/// A text of errors as the database takes it whatever its encoding: what is not ASCII or not printable becomes '?'.
std::string plain(std::string text);

extern const char* const kSelectJob;       ///< $1: its id
extern const char* const kListAll;         ///< $1: how many
extern const char* const kListUnfinished;  ///< $1: how many

}  // namespace cuzk::farm

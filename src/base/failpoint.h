/// Places where a test makes the program fail on purpose. `CUZK_FAILPOINT("journal.write")` stands in the code; in a
/// build without CUZK_FAILPOINTS (every release) it compiles to nothing.
///
/// A test arms a place by its name, or the environment does for a whole process:
///     CUZK_FAILPOINTS="journal.write=error,cuda.launch=error:device_lost,prove.partition=sleep:500,journal.commit=abort"
/// A place whose name says that it flips a bit, such as "cuda.flip.quotient", asks wants_flip() and is armed with "=flip".
/// What follows a '@' are passes that go through first, what follows a '*' is how often it happens:
/// "sqlite.step=error:unavailable@3*1" fails the fourth pass alone. Where CUZK_FAILPOINT_COUNTS names a file, the places
/// that were passed and how often are written there at the end of the process.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/types.h"

namespace cuzk::failpoint {

/// What happens when an armed place is passed.
enum class Action {
  error,  ///< throws Error with the plan's code, naming the place
  sleep,  ///< waits `milliseconds`, then goes on
  abort,  ///< ends the process at once, as a crash does
  flip,   ///< where a result may be spoilt: one bit of it is turned over; elsewhere nothing
};

struct Plan {
  Action action = Action::error;
  Code code = Code::internal;  ///< for error
  u32 milliseconds = 0;        ///< for sleep
  u32 skip = 0;                ///< passes that go through before the first that does not: fails each call in turn
  u32 times = UINT32_MAX;      ///< how often; afterwards the place is harmless again
};

void arm(std::string_view place, const Plan& plan);
void disarm_all();

/// Arms what `text` says (the form of the environment variable above); throws Error{invalid_input} naming a wrong part.
void arm_from_text(std::string_view text);

/// How often each place was passed since the process began, armed or not.
std::map<std::string, u64, std::less<>> passes();

/// Does what the place's plan says; what the macro calls. The first call reads the environment.
void pass(std::string_view place);

/// Whether the plan says that a bit of a result is to be flipped now; does what else it says, as pass() does.
bool wants_flip(std::string_view place);

}  // namespace cuzk::failpoint

#ifdef CUZK_FAILPOINTS
#define CUZK_FAILPOINT(place) ::cuzk::failpoint::pass(place)
#else
#define CUZK_FAILPOINT(place) static_cast<void>(0)
#endif

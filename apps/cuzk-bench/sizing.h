/// Loads and cards as a provider speaks of them, for `cuzk-bench simulate`.
#pragma once

#include <vector>

#include "engine/scheduling/provider_load.h"

namespace cuzk::apps {

/// The rates of a provider that seals so much a day in sectors of 32 GiB, so many months after its beginning: its sectors an
/// hour, and the WindowPoSt partitions of the fullest deadline. The others are those of `base`.
engine::ProviderRates rates_of(double tib_a_day, double months, engine::ProviderRates base);

/// GiB of the cards for which profile_of_card() has times, ascending.
std::vector<unsigned> known_cards();

/// The device times of a card with so much memory: PoRep's as measured with --vram-limit (bench/ledger.md, "cuda" 36 and 50
/// to 52), the other kinds' in proportion. What does not fit is streamed, so that every card takes every key. Throws
/// Error{invalid_input} for a card that is not known.
engine::ProviderProfile profile_of_card(unsigned gib, engine::ProviderProfile profile);

}  // namespace cuzk::apps

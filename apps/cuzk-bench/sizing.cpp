#include "sizing.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/error.h"
#include "filecoin/sector_shape.h"

namespace cuzk::apps {
namespace {

using namespace std::chrono_literals;

constexpr double kSectorsOfTib = 32, kHoursOfDay = 24, kDaysOfMonth = 30;

/// A partition of PoRep-32G.
struct Card {
  unsigned gib;
  engine::Duration porep;
};
constexpr std::array kCards{Card{8, 12'370ms}, Card{12, 2'913ms}, Card{16, 1'640ms}, Card{24, 1'411ms},
                            Card{40, 1'259ms}, Card{80, 1'007ms}, Card{96, 927ms},   Card{139, 900ms}};

}  // namespace

engine::ProviderRates rates_of(double tib_a_day, double months, engine::ProviderRates base) {
  const double sectors_a_day = tib_a_day * kSectorsOfTib;
  const double partitions = sectors_a_day * kDaysOfMonth * months / filecoin::sector_shape("32g").window_sectors;
  base.sectors_an_hour = sectors_a_day / kHoursOfDay;
  if (base.windows_a_day > 0)
    base.window_partitions = static_cast<u32>(std::max(1.0, std::ceil(partitions / base.windows_a_day)));
  return base;
}

std::vector<unsigned> known_cards() {
  std::vector<unsigned> cards;
  cards.reserve(std::size(kCards));
  for (const Card& card : kCards) cards.push_back(card.gib);
  return cards;
}

engine::ProviderProfile profile_of_card(unsigned gib, engine::ProviderProfile profile) {
  const auto found = std::ranges::find(kCards, gib, &Card::gib);
  if (found == kCards.end())
    throw invalid_input("--card {}: not measured; there are {}", gib, fmt::join(known_cards(), ", "));
  const double times = std::chrono::duration<double>(found->porep) / kCards.back().porep;
  for (auto& kind : profile.kinds)
    kind.device = std::chrono::duration_cast<engine::Duration>(std::chrono::duration<double>(kind.device) * times);
  return profile;
}

}  // namespace cuzk::apps

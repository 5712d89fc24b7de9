#include "common/progress_bar.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>

namespace cuzk::apps {

namespace {

constexpr std::size_t kWidth = 30;
constexpr auto kRedraw = std::chrono::milliseconds(100);
constexpr std::string_view kClearLine = "\r\x1b[K";

std::string bar(u64 done, u64 total) {
  if (total == 0) return "";
  const double share = std::min(1.0, static_cast<double>(done) / static_cast<double>(total));
  const auto full = static_cast<std::size_t>(share * kWidth);
  return fmt::format(" [{}{}] {:3.0f}%", std::string(full, '#'), std::string(kWidth - full, ' '), 100 * share);
}

}  // namespace

ProgressBar::ProgressBar() : is_terminal_(isatty(STDERR_FILENO) == 1) {}

ProgressBar::~ProgressBar() {
  if (is_terminal_) std::cerr << kClearLine << std::flush;
}

void ProgressBar::show(std::string_view stage, u64 done, u64 total) {
  if (!is_terminal_) return;
  const std::lock_guard lock(mutex_);
  const auto now = Clock::now();
  if (now - drawn_ < kRedraw) return;
  drawn_ = now;
  const std::chrono::duration<double> passed = now - begin_;
  std::cerr << kClearLine << fmt::format("{:6.1f} s  {}{}", passed.count(), stage, bar(done, total)) << std::flush;
}

}  // namespace cuzk::apps

#include "base/log.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "base/error.h"

namespace cuzk {
namespace {

std::string line(LogFormat format, spdlog::string_view_t message) {
  spdlog::details::log_msg event(spdlog::log_clock::time_point(std::chrono::milliseconds(1'700'000'000'042)), {},
                                 "cuzk", spdlog::level::warn, message);
  spdlog::memory_buf_t buffer;
  log_formatter(format)->format(event, buffer);
  return {buffer.data(), buffer.size()};
}

TEST(Log, JsonLinesAreJson) {
  const auto text = line(LogFormat::json, "key \"a\\b\"\nsecond line");
  EXPECT_EQ(text.back(), '\n');
  const auto event = nlohmann::json::parse(text);
  EXPECT_EQ(event.at("time"), "2023-11-14T22:13:20.042Z");
  EXPECT_EQ(event.at("level"), "warning");
  EXPECT_EQ(event.at("message"), "key \"a\\b\"\nsecond line");
}

TEST(Log, TextLinesHaveLevelAndMessage) {
  EXPECT_NE(line(LogFormat::text, "hello").find(".042 warning hello\n"), std::string::npos);
}

TEST(Log, LinesForTheJournalBeginWithThePriority) { EXPECT_EQ(line(LogFormat::journald, "hello"), "<4>hello\n"); }

TEST(Log, AMessageIsOneLineWhateverItHolds) {
  const std::string forged = "porep 'a\n<2>forged\x7f";
  EXPECT_EQ(line(LogFormat::journald, forged), "<4>porep 'a\\x0a<2>forged\\x7f\n");
}

TEST(Log, AModuleMayHaveALevelOfItsOwnAndItMayChange) {
  const auto previous = spdlog::default_logger();
  testing::internal::CaptureStderr();
  configure_log({spdlog::level::warn, LogFormat::json, {{LogModule::engine, spdlog::level::debug}}});
  logger(LogModule::engine).debug("one");
  logger(LogModule::rpc).info("two");
  configure_log({spdlog::level::info, LogFormat::json, {}});
  logger(LogModule::engine).debug("three");
  logger(LogModule::rpc).info("four");
  const auto written = testing::internal::GetCapturedStderr();
  spdlog::set_default_logger(previous);
  EXPECT_NE(written.find(R"("module":"engine","message":"one")"), std::string::npos) << written;
  EXPECT_NE(written.find("four"), std::string::npos);
  EXPECT_EQ(written.find("two"), std::string::npos);
  EXPECT_EQ(written.find("three"), std::string::npos);
}

TEST(Log, NamesOfLevelsAndFormats) {
  EXPECT_EQ(log_level("debug"), spdlog::level::debug);
  EXPECT_EQ(log_level("warn"), spdlog::level::warn);
  EXPECT_EQ(log_level("error"), spdlog::level::err);
  EXPECT_EQ(log_format("json"), LogFormat::json);
  EXPECT_EQ(log_format("journald"), LogFormat::journald);
  EXPECT_EQ(log_module("engine"), LogModule::engine);
  EXPECT_THROW(log_module("motor"), Error);
  EXPECT_THROW(log_level("loud"), Error);
  EXPECT_THROW(log_format("xml"), Error);
}

TEST(Log, WritesToStandardErrorAboveItsLevel) {
  const auto previous = spdlog::default_logger();
  configure_log(spdlog::level::info, LogFormat::text);
  testing::internal::CaptureStderr();
  spdlog::debug("not this");
  spdlog::info("but this");
  const auto written = testing::internal::GetCapturedStderr();
  spdlog::set_default_logger(previous);
  EXPECT_EQ(written.find("not this"), std::string::npos);
  EXPECT_NE(written.find("but this"), std::string::npos);
}

}  // namespace
}  // namespace cuzk

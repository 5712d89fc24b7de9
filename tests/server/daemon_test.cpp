#include "server/daemon.h"

#include <sys/socket.h>
#include <sys/un.h>

#include <future>

#include "server/daemon_fixture.h"

namespace cuzk::server {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::HasSubstr;
using Response = v1::AwaitProofResponse;

TEST_F(DaemonTest, ProvesAndCounts) {
  start();
  const auto answer = client->prove(toy("a"));
  EXPECT_EQ(answer.status(), Response::COMPLETED) << answer.error_message();
  EXPECT_EQ(answer.proof().size(), 192u);
  EXPECT_FALSE(answer.job_id().empty());
  const auto status = client->status();
  EXPECT_EQ(status.total_proofs_completed(), 1u);
  ASSERT_EQ(status.loaded_srs_size(), 1);
  EXPECT_EQ(status.loaded_srs(0).circuit_id(), "toy");
  EXPECT_EQ(status.queues_size(), 4);
  EXPECT_THAT(
      client->metrics(),
      AllOf(HasSubstr("cuzk_proofs_completed_total 1"), HasSubstr("cuzk_proofs_completed{proof_kind=\"porep_c2\"} 1"),
            HasSubstr("cuzk_proof_duration_seconds_count{proof_kind=\"porep_c2\"} 1"),
            HasSubstr("cuzk_proofs_failed_total 0"), HasSubstr("cuzk_queue_depth 0"), HasSubstr("cuzk_running_jobs 0"),
            HasSubstr("cuzk_gpu_workers 1"), HasSubstr("cuzk_uptime_seconds")));
}

TEST_F(DaemonTest, SubmitsAndAwaits) {
  start();
  const auto accepted = client->submit(toy("a"));
  const auto answer = client->await(accepted.job_id());
  EXPECT_EQ(answer.status(), Response::COMPLETED);
  EXPECT_EQ(answer.job_id(), accepted.job_id());
  EXPECT_EQ(client->await(accepted.job_id()).proof(), answer.proof()) << "asked again";
  EXPECT_EQ(client->submit(toy("a")).job_id(), accepted.job_id());
  EXPECT_THAT(log(), HasSubstr(accepted.job_id() + ": joined by porep"));
}

TEST_F(DaemonTest, ACorruptKeyIsAClearErrorAndAGoodOneIsTakenAfterwards) {
  auto bytes = key_bytes();
  bytes[1000] ^= 1;
  write_key(bytes);
  start();
  const auto answer = client->prove(toy("a"));
  EXPECT_EQ(answer.status(), Response::FAILED);
  EXPECT_THAT(answer.error_message(), HasSubstr("toy.params"));
  EXPECT_NE(client->status().loaded_srs(0).tier(), v1::SRSStatus::HOT);
  write_key(key_bytes());
  EXPECT_EQ(client->prove(toy("a")).status(), Response::COMPLETED);
}

TEST_F(DaemonTest, AKeyThatIsCutOrMissingIsAClearError) {
  auto bytes = key_bytes();
  bytes.resize(bytes.size() - 10);
  write_key(bytes);
  start();
  EXPECT_THAT(client->prove(toy("a")).error_message(), HasSubstr("toy.params"));
  std::filesystem::remove(folder / "keys/toy.params");
  EXPECT_THAT(client->prove(toy("a")).error_message(), HasSubstr("cuzk setup toy --out"));
  EXPECT_TRUE(answers());
}

TEST_F(DaemonTest, ATruncatedRequestFailsAndTheDaemonLives) {
  start();
  auto request = toy("a");
  for (const char* body : {"", "{", "{\"SectorNum\":2,\"Phase1Out\":\"AAAA", "{}", "xyz"}) {
    request.set_vanilla_proof(body);
    const auto answer = client->prove(request);
    EXPECT_EQ(answer.status(), Response::FAILED) << body;
    EXPECT_FALSE(answer.error_message().empty()) << body;
  }
  EXPECT_EQ(client->prove(toy("a")).status(), Response::COMPLETED);
}

TEST_F(DaemonTest, AKindThatDoesNotExistSaysSo) {
  start();
  auto request = toy("a");
  for (const auto kind : {v1::PROOF_KIND_UNSPECIFIED, static_cast<v1::ProofKind>(9)}) {
    request.set_proof_kind(kind);
    const auto answer = client->prove(request);
    EXPECT_EQ(answer.status(), Response::FAILED);
    EXPECT_THAT(answer.error_message(), HasSubstr("kind"));
    error_of(Code::invalid_input, [&] { client->submit(request); });
  }
  EXPECT_EQ(client->prove(toy("a")).status(), Response::COMPLETED);
}

TEST_F(DaemonTest, OneRequestIdWithTwoInputsIsTwoJobs) {
  start({"--insecure-prove-delay", "200"});
  auto other = toy("same");
  other.set_vanilla_proof(toy("", 0).vanilla_proof() + " " + toy("", 1).vanilla_proof());
  auto first = std::async(std::launch::async, [&] { return client->prove(toy("same")); });
  auto second = std::async(std::launch::async, [&] { return client->prove(other); });
  auto third = std::async(std::launch::async, [&] { return client->prove(toy("same")); });
  const auto one = first.get(), two = second.get(), three = third.get();
  EXPECT_EQ(one.proof().size(), 192u);
  EXPECT_EQ(two.proof().size(), 384u);
  EXPECT_EQ(one.job_id(), three.job_id());
  EXPECT_EQ(one.proof(), three.proof());
  EXPECT_NE(one.job_id(), two.job_id());
  EXPECT_EQ(client->status().total_proofs_completed(), 2u);
}

TEST_F(DaemonTest, WaitingEndsInTimeAndTheJobGoesOn) {
  start({"--insecure-prove-delay", "1000"});
  const auto id = client->submit(toy("a")).job_id();
  EXPECT_EQ(client->await(id, 50).status(), Response::TIMEOUT);
  error_of(Code::deadline, [&] { client->await(id, 0, 50ms); });
  error_of(Code::deadline, [&] { client->prove(toy("a"), 50ms); });
  EXPECT_EQ(client->await(id).status(), Response::COMPLETED);
  EXPECT_EQ(client->await(id, 1).status(), Response::COMPLETED);
  EXPECT_EQ(client->status().total_proofs_completed(), 1u) << "the second Prove joined";
}

TEST_F(DaemonTest, AJobThatIsNotKnownIsNotFound) {
  start();
  EXPECT_THAT(error_of(Code::not_found, [&] { client->await("nonsense"); }), HasSubstr("nonsense"));
  error_of(Code::not_found, [&] { client->cancel("nonsense"); });
}

TEST_F(DaemonTest, CancelsQueuedAndRunningJobs) {
  start({"--insecure-prove-delay", "60000"});
  const auto running = client->submit(toy("running")).job_id();
  while (client->status().gpus(0).current_job_id() != running) std::this_thread::sleep_for(5ms);
  const auto next = client->submit(toy("next")).job_id();  // its witness is made meanwhile
  while (client->jobs(false).jobs(1).state() != v1::JOB_RUNNING) std::this_thread::sleep_for(5ms);
  const auto queued = client->submit(toy("queued"));
  EXPECT_FALSE(client->cancel(queued.job_id()).was_running());
  EXPECT_EQ(client->await(queued.job_id()).status(), Response::CANCELLED);
  EXPECT_TRUE(client->cancel(running).was_running());
  EXPECT_EQ(client->await(running).status(), Response::CANCELLED);
  client->cancel(next);
}

TEST_F(DaemonTest, DeadClientsHurtNobody) {
  start({"--insecure-prove-delay", "300"});
  error_of(Code::deadline, [&] { client->prove(toy("left alone"), 20ms); });
  for (const std::string words : {"", "PRI * HTTP/2.0\r\n\r\n", "nonsense\n"}) {  // connections that end in the middle
    sockaddr_un name{};
    name.sun_family = AF_UNIX;
    (folder / "s").string().copy(name.sun_path, sizeof(name.sun_path) - 1);
    const int descriptor = ::socket(AF_UNIX, SOCK_STREAM, 0);
    ASSERT_EQ(::connect(descriptor, reinterpret_cast<sockaddr*>(&name), sizeof(name)), 0);
    EXPECT_GE(::send(descriptor, words.data(), words.size(), MSG_NOSIGNAL), 0);
    ::close(descriptor);
  }
  test::Process dying({CUZK_PROGRAM, "prove", "porep", "/dev/stdin", "--connect", address()}, folder / "o",
                      folder / "e");
  dying.signal(SIGKILL);
  EXPECT_EQ(client->prove(toy("left alone")).status(), Response::COMPLETED);
  EXPECT_TRUE(daemon->runs());
}

TEST_F(DaemonTest, PreloadsAndEvictsKeys) {
  start();
  EXPECT_FALSE(client->preload("toy").already_loaded());
  EXPECT_TRUE(client->preload("toy").already_loaded());
  const auto evicted = client->evict("toy");
  EXPECT_TRUE(evicted.was_loaded());
  EXPECT_GT(evicted.freed_bytes(), 0u);
  EXPECT_FALSE(client->evict("toy").was_loaded());
  EXPECT_FALSE(client->evict("porep-2k").was_loaded()) << "never loaded";
  EXPECT_THAT(error_of(Code::invalid_input, [&] { client->evict("porep-3k"); }), HasSubstr("porep-3k"));
  error_of(Code::invalid_input, [&] { client->preload("porep-3k"); });
  EXPECT_THAT(error_of(Code::not_found, [&] { client->preload("porep-2k"); }), HasSubstr("cuzk setup porep-2k"));
}

TEST_F(DaemonTest, SigtermFinishesWhatWasAccepted) {
  start({"--insecure-prove-delay", "700"});
  auto running = std::async(std::launch::async, [&] { return client->prove(toy("running")); });
  while (client->status().gpus(0).current_job_id().empty()) std::this_thread::sleep_for(5ms);
  auto queued = std::async(std::launch::async, [&] { return client->prove(toy("queued", 1)); });
  while (client->jobs(true).jobs_size() < 2) std::this_thread::sleep_for(5ms);
  daemon->signal(SIGTERM);
  std::this_thread::sleep_for(200ms);
  error_of(Code::unavailable, [&] { client->prove(toy("late", 2)); });
  EXPECT_EQ(running.get().status(), Response::COMPLETED);
  EXPECT_EQ(queued.get().status(), Response::COMPLETED);
  EXPECT_EQ(daemon->wait(), 0) << log();
}

TEST_F(DaemonTest, ASecondSignalCancels) {
  start({"--insecure-prove-delay", "60000"});
  auto running = std::async(std::launch::async, [&] { return client->prove(toy("running")); });
  while (client->status().gpus(0).current_job_id().empty()) std::this_thread::sleep_for(5ms);
  daemon->signal(SIGINT);
  std::this_thread::sleep_for(200ms);
  EXPECT_TRUE(daemon->runs());
  daemon->signal(SIGTERM);
  EXPECT_EQ(running.get().status(), Response::CANCELLED);
  EXPECT_EQ(daemon->wait(), 0) << log();
}

TEST_F(DaemonTest, TwoDaemonsDoNotShareASocket) {
  start();
  const auto second = test::run({CUZK_PROGRAM, "serve", "-l", address()});
  EXPECT_EQ(second.status, 1);
  EXPECT_THAT(second.err, HasSubstr("another process"));
  EXPECT_TRUE(answers());
}

TEST_F(DaemonTest, ListensOnSeveralAddressesAndWarnsOfTcp) {
  listen = address() + ", 127.0.0.1:47613";
  start({"--insecure"});
  EXPECT_EQ(Client("127.0.0.1:47613").prove(toy("a")).status(), Response::COMPLETED);
  EXPECT_THAT(log(), HasSubstr("without encryption"));
}

TEST_F(DaemonTest, AnAddressThatCannotBeIsNamed) {
  const auto outcome = test::run({CUZK_PROGRAM, "serve", "-l", "unix:///nowhere/at/all/s"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.err, HasSubstr("/nowhere/at/all"));
}

TEST_F(DaemonTest, AKeyToPreloadThatDoesNotExistIsAnErrorAtTheStart) {
  std::ofstream(folder / "wrong.toml") << "[srs]\npreload = [\"porep-3k\"]\n";
  const auto outcome = test::run({CUZK_PROGRAM, "serve", "-c", folder / "wrong.toml"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("wrong.toml, line 2"), HasSubstr("'porep-3k'")));
}

TEST_F(DaemonTest, AWrongConfigurationIsNamedWithItsLine) {
  std::ofstream(folder / "wrong.toml") << "[daemon]\nlisten = 5\n";
  const auto outcome = test::run({CUZK_PROGRAM, "serve", "-c", folder / "wrong.toml"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("wrong.toml, line 2"), HasSubstr("daemon.listen")));
}

}  // namespace
}  // namespace cuzk::server

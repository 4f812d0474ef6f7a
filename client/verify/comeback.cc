#include "verify/comeback.h"

#include <algorithm>
#include <thread>
#include <utility>

namespace repath::verify {
namespace {

constexpr std::chrono::milliseconds kBetweenTries{50};
constexpr std::chrono::milliseconds kConnecting{1000};
constexpr double kSessionSparesS = 60;  // the session outlives the longest wait by so much
constexpr std::uint32_t kSessionTtlMax = 86'400'000;

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

bool is_broken(const grpc::Status& status) {
  switch (status.error_code()) {
    case grpc::StatusCode::UNAVAILABLE:
      return status.error_details().find("STORE_UNAVAILABLE") == std::string::npos;
    case grpc::StatusCode::CANCELLED:
    case grpc::StatusCode::UNKNOWN:
    case grpc::StatusCode::INTERNAL:
      return status.error_details().empty();
    default:
      return false;
  }
}

bool Comeback::begin(const v1::World& made) {
  epoch_ = made.epoch();
  incarnation_ = made.incarnation();
  if (!is_on() || incarnation_ != 0) return true;
  context_.check_failed(
      "--restart-s: the server keeps its worlds in memory alone, so none is there after a restart; "
      "start it with --data DIR");
  return false;
}

std::uint32_t Comeback::session_ttl_ms() const {
  if (!is_on()) return 0;
  const double ms = (patience_.count() + kSessionSparesS) * 1000;
  return std::min(kSessionTtlMax, static_cast<std::uint32_t>(ms));
}

std::optional<v1::SessionResponse::Opened> Comeback::reopen(const grpc::Status& broken,
                                                            std::unique_ptr<SessionLink>* session,
                                                            std::uint64_t revision,
                                                            bool is_durable) {
  if (!is_on() || *session == nullptr || !is_broken(broken)) {
    context_.refused(broken);
    return std::nullopt;
  }
  const Clock::time_point broke_at = Clock::now();
  if (!broke_at_) broke_at_ = broke_at;
  std::optional<v1::SessionResponse::Opened> opened = open(session);
  if (!opened) return std::nullopt;
  ++tally_.restarts;
  tally_.reopened_s = std::max(tally_.reopened_s, seconds_since(broke_at));
  if (opened->incarnation() <= incarnation_) {
    context_.check_failed("the stream broke (" + broken.error_message() +
                          "), but the server has not loaded the world again");
    return std::nullopt;
  }
  check(*opened, revision, is_durable);
  incarnation_ = opened->incarnation();
  return opened;
}

// Tries until the server answers or the time is up.
std::optional<v1::SessionResponse::Opened> Comeback::open(std::unique_ptr<SessionLink>* session) {
  const Clock::time_point begin = Clock::now();
  for (;;) {
    *session = (*session)->again();
    if (auto opened = (*session)->opened()) return opened;
    const grpc::Status status = (*session)->finish();
    if (!is_broken(status) || Clock::now() - begin > patience_) {
      context_.refused(status);
      return std::nullopt;
    }
    (*session)->wait_for_connection(kConnecting);
    std::this_thread::sleep_for(kBetweenTries);
  }
}

void Comeback::check(const v1::SessionResponse::Opened& opened, std::uint64_t revision,
                     bool is_durable) {
  const auto lost = [&](const std::string& what) {
    tally_.add(Defect::kWrong, 0, "after restart " + std::to_string(tally_.restarts) + ": " + what);
  };
  if (opened.epoch() != epoch_) lost("the world has another epoch");
  if (opened.revision() < revision) {
    lost("the world is at revision " + std::to_string(opened.revision()) + ", but revision " +
         std::to_string(revision) + " was acknowledged");
  }
  if (opened.durable_revision() != opened.revision())
    lost("a revision is there that was never on the disk");
  if (is_durable && !opened.resumed()) lost("the session was acknowledged and is lost");
}

void Comeback::settled() {
  if (!broke_at_) return;
  tally_.resettled_s = std::max(tally_.resettled_s, seconds_since(*broke_at_));
  broke_at_.reset();
}

}  // namespace repath::verify

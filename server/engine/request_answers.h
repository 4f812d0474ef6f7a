// Answers kept for repeats: a mutation sent again with its request_id gets its first answer.
// Another mutation with the same id is refused, for otherwise it would be dropped silently.
//
// Not thread-safe. Bounded by number, memory and age; the oldest go first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/error.h"
#include "base/ids.h"
#include "base/sha256.h"

namespace repath {

// INVALID_ARGUMENT, reason REQUEST_ID_REUSED.
inline absl::Status request_id_reused() {
  return invalid_field("REQUEST_ID_REUSED", "request_id",
                       "another request had this id in the last ten minutes; give each request an "
                       "id of its own");
}

template <class Answer>
class RequestAnswers {
 public:
  // `Answer` is a plain value without memory of its own.
  RequestAnswers(std::size_t most, Micros ttl_us, std::uint64_t bytes_max = ~std::uint64_t{0})
      : most_(most), ttl_us_(ttl_us), bytes_max_(bytes_max) {}

  // Returns the answer; null if it is unknown or forgotten. Valid until the next call.
  // INVALID_ARGUMENT, reason REQUEST_ID_REUSED, if the id was that of a request with another
  // content.
  absl::StatusOr<const Answer*> find(const std::string& request_id, const Sha256::Digest& content,
                                     Micros now) {
    forget_old(now);
    const auto it = answers_.find(request_id);
    if (it == answers_.end()) return nullptr;
    if (it->second.content != content) return request_id_reused();
    return &it->second.answer;
  }
  // Keeps an answer that was given `age_us` ago, for what is left of its time. REQUIRES:
  // find(request_id) was null, and older answers are kept first.
  void keep(const std::string& request_id, const Sha256::Digest& content, const Answer& answer,
            Micros now, Micros age_us = 0) {
    if (most_ == 0 || age_us >= ttl_us_) return;
    const std::uint64_t more = bytes_of(request_id);
    if (more > bytes_max_) return;
    while (order_.size() == most_ || bytes_ + more > bytes_max_) forget_first();
    bytes_ += more;
    answers_.emplace(request_id, Kept{content, answer});
    order_.push_back({request_id, now + (ttl_us_ - age_us)});
  }

  // Returns the memory of all answers, roughly.
  std::uint64_t bytes() const { return bytes_; }

 private:
  struct Kept {
    Sha256::Digest content;
    Answer answer;
  };
  struct Place {
    std::string request_id;
    Micros ends_at = 0;
  };

  void forget_old(Micros now) {
    while (!order_.empty() && order_.front().ends_at <= now) forget_first();
  }
  // The id stands in both tables, and a node of the map has three links and a colour.
  static std::uint64_t bytes_of(const std::string& request_id) {
    constexpr std::uint64_t kNode = 4 * sizeof(void*);
    return kNode + sizeof(std::string) + sizeof(Kept) + sizeof(Place) + 2 * request_id.size();
  }
  void forget_first() {
    bytes_ -= bytes_of(order_.front().request_id);
    answers_.erase(order_.front().request_id);
    order_.pop_front();
  }

  std::size_t most_;
  Micros ttl_us_;
  std::uint64_t bytes_max_;
  std::uint64_t bytes_ = 0;
  std::map<std::string, Kept> answers_;
  std::deque<Place> order_;  // oldest first
};

}  // namespace repath

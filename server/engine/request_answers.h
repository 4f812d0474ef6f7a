// Answers kept for repeats: a mutation sent again with its request_id gets its first answer.
//
// Not thread-safe. Bounded by number and by age; the oldest go first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <string>

#include "base/ids.h"

namespace repath {

template <class Answer>
class RequestAnswers {
 public:
  RequestAnswers(std::size_t most, Micros ttl_us) : most_(most), ttl_us_(ttl_us) {}

  // Null: unknown or forgotten. Valid until the next call.
  const Answer* find(const std::string& request_id, Micros now) {
    forget_old(now);
    const auto it = answers_.find(request_id);
    return it == answers_.end() ? nullptr : &it->second;
  }
  // REQUIRES: find(request_id) was null.
  void keep(const std::string& request_id, const Answer& answer, Micros now) {
    if (most_ == 0) return;
    if (order_.size() == most_) forget_first();
    answers_.emplace(request_id, answer);
    order_.push_back({request_id, now});
  }

 private:
  struct Kept {
    std::string request_id;
    Micros at = 0;
  };

  void forget_old(Micros now) {
    while (!order_.empty() && order_.front().at + ttl_us_ <= now) forget_first();
  }
  void forget_first() {
    answers_.erase(order_.front().request_id);
    order_.pop_front();
  }

  std::size_t most_;
  Micros ttl_us_;
  std::map<std::string, Answer> answers_;
  std::deque<Kept> order_;  // oldest first
};

}  // namespace repath

// Facts about all kept searches of a world together: the memory they hold, and the search that was
// used longest ago.
//
// Not thread-safe. A state takes a seat for itself (Seat), and one that is destroyed leaves it.
#pragma once

#include <cstdint>
#include <map>
#include <utility>

namespace repath {

template <class State>
class KeptMemory {
 public:
  // One state's part in the sum and in the order of use.
  class Seat {
   public:
    Seat(KeptMemory& memory, State* state) : memory_(memory), state_(state) {}
    ~Seat() {
      if (use_ != 0) memory_.by_use_.erase(use_);
      memory_.bytes_ -= noted_;
    }
    Seat(const Seat&) = delete;
    Seat& operator=(const Seat&) = delete;

    // Counts the state as used just now, with so many bytes. O(log states).
    void note_use(std::uint64_t bytes) {
      auto entry = memory_.by_use_.extract(use_);
      use_ = ++memory_.last_use_;
      if (entry.empty()) {
        memory_.by_use_.emplace(use_, state_);
      } else {
        entry.key() = use_;
        memory_.by_use_.insert(memory_.by_use_.end(), std::move(entry));
      }
      memory_.bytes_ += bytes - noted_;
      noted_ = bytes;
    }

   private:
    KeptMemory& memory_;
    State* state_;
    std::uint64_t use_ = 0;    // its key there; 0: it is not there yet
    std::uint64_t noted_ = 0;  // its part of the sum
  };

  // Memory of all states, in bytes.
  std::uint64_t bytes() const { return bytes_; }
  // Least recently used first.
  const std::map<std::uint64_t, State*>& by_use() const { return by_use_; }

  // Takes the memory of states that were used longest ago while `is_over()`, but not of those that
  // are busy. Returns how many gave theirs up. O(states) at the most.
  template <class IsOver, class IsBusy>
  std::uint64_t evict(const IsOver& is_over, const IsBusy& is_busy) {
    std::uint64_t evicted = 0;
    for (auto it = by_use_.begin(); it != by_use_.end() && is_over();) {
      State& state = *it->second;
      ++it;
      if (state.is_empty() || is_busy(&state)) continue;
      state.give_up();
      ++evicted;
    }
    return evicted;
  }

 private:
  std::map<std::uint64_t, State*> by_use_;
  std::uint64_t last_use_ = 0;
  std::uint64_t bytes_ = 0;
};

}  // namespace repath

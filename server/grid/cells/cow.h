// A handle to a shared value. A value that other handles share is copied before it is changed.
//
// Thread rule: copies of a handle may be made, read and dropped on any thread; one handle is used
// by one thread at a time. A value seen through a handle does not change while the handle is held,
// unless writable() of that very handle is used. Counting is atomic, so a reader may drop the last
// handle of a value that its writer has replaced.
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

namespace repath {

// Base class of the values. The count belongs to the object and is not copied with its content.
class CowCounted {
 public:
  CowCounted() = default;
  CowCounted(const CowCounted&) {}
  CowCounted& operator=(const CowCounted&) = delete;
  bool operator==(const CowCounted&) const { return true; }

 private:
  template <class T>
  friend class Cow;
  std::atomic<std::uint32_t> handles_{0};
};

// T derives from CowCounted and can be copied.
template <class T>
class Cow {
 public:
  Cow() = default;
  // Takes over `value`, which was made by new.
  explicit Cow(T* value) : value_(value) { hold(); }
  Cow(const Cow& other) : value_(other.value_) { hold(); }
  Cow(Cow&& other) noexcept : value_(std::exchange(other.value_, nullptr)) {}
  Cow& operator=(Cow other) noexcept {
    std::swap(value_, other.value_);
    return *this;
  }
  ~Cow() { drop(); }

  explicit operator bool() const { return value_ != nullptr; }
  const T* get() const { return value_; }
  const T& operator*() const { return *value_; }
  const T* operator->() const { return value_; }

  // Returns the value for this handle alone; copies it first if other handles share it. REQUIRES:
  // not empty.
  T& writable() {
    if (value_->handles_.load(std::memory_order_acquire) != 1) *this = Cow(new T(*value_));
    return *value_;
  }

 private:
  void hold() {
    if (value_ != nullptr) value_->handles_.fetch_add(1, std::memory_order_relaxed);
  }
  void drop() {
    if (value_ != nullptr && value_->handles_.fetch_sub(1, std::memory_order_acq_rel) == 1)
      delete value_;
  }

  T* value_ = nullptr;
};

}  // namespace repath

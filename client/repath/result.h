// The result of a call of the client library: a value or an Error. The library does not throw.
//
// Thread rule: plain values.
#pragma once

#include <cassert>
#include <string>
#include <utility>
#include <variant>

namespace repath::client {

// The gRPC status codes that a caller may want to distinguish, with their numbers.
enum class Code {
  kCancelled = 1,
  kUnknown = 2,
  kInvalidArgument = 3,
  kDeadlineExceeded = 4,
  kNotFound = 5,
  kAlreadyExists = 6,
  kPermissionDenied = 7,
  kResourceExhausted = 8,
  kFailedPrecondition = 9,
  kAborted = 10,
  kOutOfRange = 11,
  kUnimplemented = 12,
  kInternal = 13,
  kUnavailable = 14,
  kDataLoss = 15,
  kUnauthenticated = 16,
};

// The error of a failed call. `reason` is a stable name for programs ("WORLD_UNKNOWN"); it is empty
// if the failure did not come from Repath, for example if the connection broke. `field` is the
// dotted path of the request's field at fault, or empty.
struct Error {
  Code code = Code::kUnknown;
  std::string reason;
  std::string field;
  std::string message;
};

// Returns "NOT_FOUND" for kNotFound.
const char* code_name(Code code);

// A value or an Error, never both.
template <typename T>
class Result {
 public:
  Result(T value) : held_(std::in_place_index<0>, std::move(value)) {}  // NOLINT: meant to convert
  Result(Error error)
      : held_(std::in_place_index<1>, std::move(error)) {}  // NOLINT: meant to convert

  [[nodiscard]] bool ok() const { return held_.index() == 0; }
  explicit operator bool() const { return ok(); }

  // Requires ok().
  [[nodiscard]] const T& value() const {
    assert(ok());
    return *std::get_if<0>(&held_);
  }
  [[nodiscard]] T& value() {
    assert(ok());
    return *std::get_if<0>(&held_);
  }
  const T& operator*() const { return value(); }
  T& operator*() { return value(); }
  const T* operator->() const { return &value(); }
  T* operator->() { return &value(); }

  // Requires !ok().
  [[nodiscard]] const Error& error() const {
    assert(!ok());
    return *std::get_if<1>(&held_);
  }

 private:
  std::variant<T, Error> held_;
};

}  // namespace repath::client

// Shares of something bounded that clients take: so much in all, and so much from one address.
//
// Thread rule: Shares from any thread; an object of RequestBytes by one thread at a time.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

namespace repath {

class Shares {
 public:
  Shares(std::uint64_t most, std::uint64_t of_address) : most_(most), of_address_(of_address) {}

  // Takes so much more for an address. Returns false, and takes nothing, if that is too much.
  bool take(const std::string& address, std::uint64_t amount = 1);
  // REQUIRES: take() has given the address as much.
  void give_back(const std::string& address, std::uint64_t amount = 1);

 private:
  const std::uint64_t most_;
  const std::uint64_t of_address_;
  std::mutex mutex_;
  std::uint64_t taken_ = 0;
  std::map<std::string, std::uint64_t> taken_by_;  // by address, none of them 0
};

// The bytes that one request or frame holds, as they count in the shares.
class RequestBytes {
 public:
  RequestBytes(std::shared_ptr<Shares> shares, std::string address)
      : shares_(std::move(shares)), address_(std::move(address)) {}
  ~RequestBytes() { resize(0); }
  RequestBytes(RequestBytes&& other) noexcept
      : shares_(std::move(other.shares_)),
        address_(std::move(other.address_)),
        bytes_(std::exchange(other.bytes_, 0)) {}
  RequestBytes& operator=(RequestBytes&&) = delete;

  // Counts `bytes` instead of what counted before. Returns false, and changes nothing, if that is
  // too much. Fewer bytes are never too much.
  bool resize(std::uint64_t bytes);

 private:
  std::shared_ptr<Shares> shares_;
  std::string address_;
  std::uint64_t bytes_ = 0;
};

}  // namespace repath

#include "admin/shares.h"

namespace repath {

bool Shares::take(const std::string& address, std::uint64_t amount) {
  const std::lock_guard lock(mutex_);
  const auto mine = taken_by_.find(address);
  const std::uint64_t before = mine == taken_by_.end() ? 0 : mine->second;
  if (amount > most_ - taken_ || amount > of_address_ - before) return false;
  taken_ += amount;
  taken_by_[address] = before + amount;
  return true;
}

void Shares::give_back(const std::string& address, std::uint64_t amount) {
  const std::lock_guard lock(mutex_);
  const auto mine = taken_by_.find(address);
  taken_ -= amount;
  mine->second -= amount;
  if (mine->second == 0) taken_by_.erase(mine);
}

bool RequestBytes::resize(std::uint64_t bytes) {
  if (bytes > bytes_ && !shares_->take(address_, bytes - bytes_)) return false;
  if (bytes < bytes_) shares_->give_back(address_, bytes_ - bytes);
  bytes_ = bytes;
  return true;
}

}  // namespace repath

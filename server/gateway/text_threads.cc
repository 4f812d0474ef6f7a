#include "gateway/text_threads.h"

#include <boost/asio/post.hpp>
#include <utility>

#include "rpc/connection_table.h"

namespace repath {

void TextThreads::post(const std::string& peer, Work work) {
  {
    const std::string address = address_of_peer(peer);
    const std::lock_guard lock(mutex_);
    std::deque<Work>& mine = waiting_[address];
    if (mine.empty()) turns_.push_back(address);
    mine.push_back(std::move(work));
  }
  boost::asio::post(pool_, [this] { next()(); });
}

TextThreads::Work TextThreads::next() {
  const std::lock_guard lock(mutex_);
  std::string address = std::move(turns_.front());
  turns_.pop_front();
  const auto mine = waiting_.find(address);
  Work work = std::move(mine->second.front());
  mine->second.pop_front();
  if (mine->second.empty())
    waiting_.erase(mine);
  else
    turns_.push_back(std::move(address));
  return work;
}

}  // namespace repath

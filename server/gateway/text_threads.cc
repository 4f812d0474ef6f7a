#include "gateway/text_threads.h"

#include <boost/asio/post.hpp>
#include <utility>

#include "base/check.h"

namespace repath {

TextThreads::TextThreads(int threads)
    : large_max_(threads - 1), pool_(static_cast<std::size_t>(threads)) {
  REPATH_CHECK(threads >= 2);
}

void TextThreads::post(const std::string& client, std::size_t bytes, Work work) {
  {
    const std::lock_guard lock(mutex_);
    (bytes > kSmallBytesMax ? large_ : small_).push(client, std::move(work));
  }
  boost::asio::post(pool_, [this] { run_next(); });
}

void TextThreads::run_next() {
  Work work;
  bool is_large = false;
  {
    const std::lock_guard lock(mutex_);
    is_large = !large_.is_empty() && large_under_way_ < large_max_;
    if (!is_large && small_.is_empty()) {
      ++put_off_;
      return;
    }
    if (is_large) ++large_under_way_;
    work = (is_large ? large_ : small_).pop();
  }
  work();
  if (!is_large) return;
  {
    const std::lock_guard lock(mutex_);
    --large_under_way_;
    if (put_off_ == 0) return;
    --put_off_;
  }
  boost::asio::post(pool_, [this] { run_next(); });
}

void TextThreads::Queue::push(const std::string& client, Work work) {
  std::deque<Work>& mine = waiting_[client];
  if (mine.empty()) turns_.push_back(client);
  mine.push_back(std::move(work));
}

TextThreads::Work TextThreads::Queue::pop() {
  std::string client = std::move(turns_.front());
  turns_.pop_front();
  const auto mine = waiting_.find(client);
  Work work = std::move(mine->second.front());
  mine->second.pop_front();
  if (mine->second.empty())
    waiting_.erase(mine);
  else
    turns_.push_back(std::move(client));
  return work;
}

}  // namespace repath

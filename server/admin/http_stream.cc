#include "admin/http_stream.h"

#include <boost/asio/post.hpp>
#include <boost/beast/websocket/ssl.hpp>
#include <boost/beast/websocket/teardown.hpp>

namespace repath {

void HttpStream::async_handshake(std::function<void(Error)> done) {
  if (tls_) return tls_->async_handshake(Tls::server, std::move(done));
  boost::asio::post(get_executor(), [done = std::move(done)] { done(Error()); });
}

void HttpStream::read_some(const List<boost::asio::mutable_buffer>& buffers,
                           std::function<void(Error, std::size_t)> done) {
  if (tls_) return tls_->async_read_some(buffers, std::move(done));
  plain_->async_read_some(buffers, std::move(done));
}

void HttpStream::write_some(const List<boost::asio::const_buffer>& buffers,
                            std::function<void(Error, std::size_t)> done) {
  if (tls_) return tls_->async_write_some(buffers, std::move(done));
  plain_->async_write_some(buffers, std::move(done));
}

void HttpStream::tear_down(boost::beast::role_type role, std::function<void(Error)> done) {
  using boost::beast::async_teardown;
  if (tls_) return async_teardown(role, *tls_, std::move(done));
  async_teardown(role, *plain_, std::move(done));
}

}  // namespace repath

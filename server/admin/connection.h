// One connection of an HTTP port. Only the room's own files use it.
//
// Thread rule: every function on the port's thread.
#pragma once

#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <list>
#include <memory>
#include <optional>
#include <string>

#include "admin/admin_server.h"
#include "admin/own_pages.h"

namespace repath {

// Serves one connection: reads a request, answers it, and goes on while the peer keeps the
// connection alive. Keeps itself alive.
//
// At most one operation of the stream is under way. While an answer is made elsewhere, it is a read
// that notices the client's end; the answer first ends this read.
class AdminServer::Connection : public std::enable_shared_from_this<Connection> {
 public:
  // With TLS if there is a context.
  Connection(boost::asio::ip::tcp::socket socket, boost::asio::ssl::context* tls,
             const boost::asio::ip::tcp::endpoint& peer, AdminServer& server);
  ~Connection() {
    give_up();
    set_answering(false);
  }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // Returns the address whose connections count together: of IPv6 its network of 64 bits.
  static std::string address_of(const boost::asio::ip::tcp::endpoint& peer);
  const std::string& address() const { return address_; }

  // Sets up TLS, if the port has it, and goes on with requests.
  void begin();
  // Closes the connection, which no longer counts.
  void give_up();

 private:
  using ErrorCode = boost::system::error_code;

  void read_next();
  void read();
  void take_header();
  void send_continue();
  void read_body();
  bool is_for_door() const;
  std::uint64_t body_bytes_max() const;
  // Says why a request cannot be read, and ends the connection.
  void refuse(ErrorCode error);
  void refuse(Door::Response response);
  void drop_rest(std::size_t most);

  void answer();
  void answer(Door::Response response);
  // Returns the answer to a request that the port refuses: the door's, if there is one.
  Door::Response refusal_of(const Refusal& refusal) const;
  // Sets what write() writes.
  void set_response(Door::Response response);
  // Counts the answer that is being made or written.
  void set_answering(bool is_now);
  void upgrade();
  void call_door();
  void make_figures();
  // The answer is being made, for as long as its own deadline allows.
  void begin_work();
  // Returns a function that takes the answer on any thread and gives it to finish().
  Door::Done finisher();
  void finish(Door::Response response);
  void watch();
  void write();

  // Joins the connections that wait for a request, and give way to new ones.
  void wait_for_request();
  void stop_waiting();
  // The connection no longer counts.
  void uncount();
  void expire_later();

  Door::Stream stream_;
  AdminServer& server_;
  HttpPeer peer_;
  const std::string address_;
  RequestBytes held_;  // the request's body, until its answer comes
  bool is_counted_ = true;
  bool is_waiting_ = false;  // for a request; `place_` is then in the server's list
  std::list<Connection*>::iterator place_;
  boost::beast::flat_buffer buffer_;
  std::optional<boost::beast::http::request_parser<boost::beast::http::string_body>> parser_;
  Door::Response response_;
  // While an answer is made.
  Door::Cancel cancel_;        // null: nothing to cancel
  bool is_call_ = false;       // of the door, which counts
  bool is_watching_ = false;   // a read is under way
  bool is_answered_ = false;   // response_ is to be written once the read has ended
  bool is_answering_ = false;  // counts in the server's answers_
  // Of the request that is answered.
  bool keeps_alive_ = false;
  bool is_head_ = false;
};

}  // namespace repath

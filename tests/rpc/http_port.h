// The HTTP port of a server in this process, and calls of any method through it.
#pragma once

#include <google/protobuf/descriptor.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/buffers_to_string.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/escaping.h"
#include "admin/admin_server.h"
#include "gateway/gateway.h"
#include "rpc/fixture.h"

namespace repath::test {

namespace http = boost::beast::http;
namespace websocket = boost::beast::websocket;
using tcp = boost::asio::ip::tcp;

// Returns gRPC's status from the JSON of an error.
inline grpc::Status status_of(const nlohmann::json& error) {
  static const std::map<std::string, grpc::StatusCode> kCodes{
      {"canceled", grpc::CANCELLED},
      {"invalid_argument", grpc::INVALID_ARGUMENT},
      {"deadline_exceeded", grpc::DEADLINE_EXCEEDED},
      {"not_found", grpc::NOT_FOUND},
      {"already_exists", grpc::ALREADY_EXISTS},
      {"permission_denied", grpc::PERMISSION_DENIED},
      {"resource_exhausted", grpc::RESOURCE_EXHAUSTED},
      {"failed_precondition", grpc::FAILED_PRECONDITION},
      {"aborted", grpc::ABORTED},
      {"out_of_range", grpc::OUT_OF_RANGE},
      {"unimplemented", grpc::UNIMPLEMENTED},
      {"internal", grpc::INTERNAL},
      {"unavailable", grpc::UNAVAILABLE},
      {"data_loss", grpc::DATA_LOSS},
      {"unauthenticated", grpc::UNAUTHENTICATED}};
  const auto code = kCodes.find(error.value("code", ""));
  if (code == kCodes.end()) return {grpc::UNKNOWN, error.dump()};
  google::rpc::Status details;
  details.set_code(static_cast<int>(code->second));
  details.set_message(error.value("message", ""));
  for (const auto& detail : error.value("details", nlohmann::json::array())) {
    auto* any = details.add_details();
    any->set_type_url("type.googleapis.com/" + detail.at("type").get<std::string>());
    EXPECT_TRUE(absl::Base64Unescape(detail.at("value").get<std::string>(), any->mutable_value()));
  }
  return {code->second, details.message(), details.SerializeAsString()};
}

// Connects to a port of this machine, as a client whose own address is `source`.
inline void connect_from(const std::string& source, const std::string& port, tcp::socket& socket) {
  socket.open(tcp::v4());
  socket.bind({boost::asio::ip::make_address(source), 0});
  socket.connect(
      {boost::asio::ip::make_address("127.0.0.1"), static_cast<unsigned short>(std::stoi(port))});
}

// A WebSocket of a client.
class Socket {
 public:
  Socket(const std::string& source, const std::string& port, const std::string& path,
         const std::string& protocols, const std::string& authorization)
      : stream_(context_) {
    connect_from(source, port, stream_.next_layer());
    stream_.set_option(websocket::stream_base::decorator([&](websocket::request_type& request) {
      if (!protocols.empty()) request.set(http::field::sec_websocket_protocol, protocols);
      if (!authorization.empty()) request.set(http::field::authorization, authorization);
    }));
    stream_.handshake(response_, "localhost:" + port, path, error_);
    stream_.read_message_max(16 << 20);
  }

  bool is_open() const { return !error_; }
  // The HTTP answer to the handshake.
  const websocket::response_type& response() const { return response_; }

  void send(const std::string& message, bool is_text) {
    stream_.text(is_text);
    stream_.write(boost::asio::buffer(message), error_);
  }
  void send_end() { send("", /*is_text=*/true); }

  // Returns the next message; nothing after the last one.
  std::optional<std::string> read() {
    boost::beast::flat_buffer buffer;
    stream_.read(buffer, error_);
    if (error_) return std::nullopt;
    return boost::beast::buffers_to_string(buffer.data());
  }
  bool was_text() const { return stream_.got_text(); }
  unsigned close_code() const { return stream_.reason().code; }

 private:
  boost::asio::io_context context_;
  websocket::stream<tcp::socket> stream_;
  websocket::response_type response_;
  boost::system::error_code error_;
};

class HttpPort {
 public:
  explicit HttpPort(const RpcServer& server, const Gateway::Bounds& bounds = {})
      : gateway_(bounds, Pages::built_in()),
        admin_(*AdminServer::start(
            "127.0.0.1:0", {}, [] { return std::string("figures\n"); }, {}, &gateway_.console())) {
    gateway_.open(server);
    const std::string address = admin_->address();
    port_ = address.substr(address.rfind(':') + 1);
  }
  ~HttpPort() { gateway_.close(); }

  // The address of the clients that call from now on, one of 127.0.0.0/8.
  void call_from(const std::string& source) { source_ = source; }
  void close_gateway() { gateway_.close(); }

  using Headers = std::vector<std::pair<std::string, std::string>>;
  http::response<http::string_body> ask(http::verb verb, const std::string& path,
                                        const std::string& body = "", const Headers& headers = {}) {
    boost::asio::io_context context;
    tcp::socket socket(context);
    connect_from(source_, port_, socket);
    http::request<http::string_body> request(verb, path, 11, body);
    request.set(http::field::host, "localhost:" + port_);
    for (const auto& [name, value] : headers) request.set(name, value);
    request.prepare_payload();
    http::write(socket, request);
    boost::beast::flat_buffer buffer;
    http::response_parser<http::string_body> parser;
    parser.body_limit(16 << 20);
    parser.skip(verb == http::verb::head);
    http::read(socket, buffer, parser);
    return parser.release();
  }
  // Sends these bytes and no more; returns what comes back until the server closes. A client that
  // ends its side counts as gone, so a whole request is answered first.
  std::string exchange(const std::string& bytes) {
    boost::asio::io_context context;
    tcp::socket socket(context);
    connect_from(source_, port_, socket);
    boost::system::error_code error;  // the server may close before it has read all
    boost::asio::write(socket, boost::asio::buffer(bytes), error);
    std::string answer;
    if (begins_with_request(bytes))
      boost::asio::read_until(socket, boost::asio::dynamic_buffer(answer), "\r\n\r\n", error);
    socket.shutdown(tcp::socket::shutdown_send, error);
    boost::asio::read(socket, boost::asio::dynamic_buffer(answer), error);
    return answer;
  }
  // Opens a connection that sends these bytes and is the caller's.
  tcp::socket send(boost::asio::io_context& context, const std::string& bytes) {
    tcp::socket socket(context);
    connect_from(source_, port_, socket);
    boost::asio::write(socket, boost::asio::buffer(bytes));
    return socket;
  }
  http::response<http::string_body> post_json(const std::string& path, const std::string& body) {
    return ask(http::verb::post, path, body, {{"Content-Type", "application/json"}});
  }
  Socket open(const std::string& path, const std::string& protocols,
              const std::string& authorization = "") {
    return {source_, port_, path, protocols, authorization};
  }

  // Calls any method with one request as bytes; `answer` receives the first answer as bytes.
  grpc::Status call(const google::protobuf::MethodDescriptor& method, const std::string& request,
                    const std::string& authorization, std::string* answer = nullptr) {
    const std::string path = "/" + method.service()->full_name() + "/" + method.name();
    if (method.client_streaming() || method.server_streaming())
      return call_stream(method, path, request, authorization, answer);
    Headers headers{{"Content-Type", "application/proto"}};
    if (!authorization.empty()) headers.emplace_back("Authorization", authorization);
    const auto response = ask(http::verb::post, path, request, headers);
    if (response.result() != http::status::ok)
      return status_of(nlohmann::json::parse(response.body()));
    if (answer != nullptr) *answer = response.body();
    return grpc::Status::OK;
  }

 private:
  static bool begins_with_request(const std::string& bytes) {
    http::request_parser<http::string_body> parser;
    parser.eager(true);
    boost::system::error_code error;
    parser.put(boost::asio::buffer(bytes), error);
    return !error && parser.is_done();
  }
  grpc::Status call_stream(const google::protobuf::MethodDescriptor& method,
                           const std::string& path, const std::string& request,
                           const std::string& authorization, std::string* answer) {
    constexpr std::string_view kBearer = "Bearer ";
    // A browser can give a token as a subprotocol only.
    const bool is_token =
        authorization.rfind(kBearer, 0) == 0 && authorization.size() > kBearer.size();
    Socket socket = is_token ? open(path, "proto, bearer." + authorization.substr(kBearer.size()))
                             : open(path, "proto", authorization);
    if (!socket.is_open()) return {grpc::UNKNOWN, "no WebSocket"};
    socket.send(request, /*is_text=*/false);
    socket.send_end();
    const std::optional<std::string> first = socket.read();
    if (!first) return socket.close_code() == 1000 ? grpc::Status::OK : grpc::Status::CANCELLED;
    if (socket.was_text()) {
      const grpc::Status status = status_of(nlohmann::json::parse(*first).at("error"));
      EXPECT_FALSE(socket.read());
      EXPECT_EQ(socket.close_code(), 4000u + status.error_code()) << method.full_name();
      return status;
    }
    if (answer != nullptr) *answer = *first;
    return grpc::Status::OK;
  }

  Gateway gateway_;
  std::unique_ptr<AdminServer> admin_;
  std::string source_ = "127.0.0.1";
  std::string port_;
};

}  // namespace repath::test

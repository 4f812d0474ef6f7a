// An HTTP port with a door whose answers the test gives.
#include "admin/door.h"

#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <condition_variable>
#include <future>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "admin/admin_server.h"
#include "base/error.h"

namespace repath {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;

// Keeps requests until the test answers them.
class SlowDoor final : public Door {
 public:
  struct Call {
    Request request;
    Done done;
    bool is_cancelled = false;
  };

  Cancel serve(Request request, HttpPeer, Done done) override {
    const std::lock_guard lock(mutex_);
    calls_.push_back({std::move(request), std::move(done)});
    changed_.notify_all();
    return [this, call = &calls_.back()] {
      const std::lock_guard cancelling(mutex_);
      call->is_cancelled = true;
      changed_.notify_all();
    };
  }
  void upgrade(Stream, HttpPeer, Request, RequestBytes) override {}
  Response refusal(const absl::Status& why) const override { return text(429, error_reason(why)); }

  static Response text(unsigned status, std::string_view body) {
    Response response(static_cast<boost::beast::http::status>(status), 11);
    response.body() = std::string(body);
    response.prepare_payload();
    return response;
  }
  // Waits until so many calls are not answered.
  void wait_for(std::size_t calls) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return calls_.size() >= calls; });
  }
  // Waits until the oldest call is cancelled.
  void wait_for_cancelled() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !calls_.empty() && calls_.front().is_cancelled; });
  }
  // Answers the oldest call with its own body.
  void answer() {
    wait_for(1);
    const std::lock_guard lock(mutex_);
    Call& call = calls_.front();
    call.done(text(200, call.request.body()));
    calls_.pop_front();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::list<Call> calls_;
};

class DoorOfAPort : public testing::Test {
 protected:
  void open(const AdminServer::Bounds& bounds, AdminServer::MetricsText metrics = nullptr) {
    server_ = *AdminServer::start("127.0.0.1:0", bounds, std::move(metrics), {}, &door_);
  }
  tcp::socket connect(const std::string& source = "127.0.0.1") {
    const std::string address = server_->address();
    tcp::socket socket(context_);
    socket.open(tcp::v4());
    socket.bind({asio::ip::make_address(source), 0});
    socket.connect(
        {asio::ip::make_address("127.0.0.1"),
         static_cast<unsigned short>(std::stoi(address.substr(address.rfind(':') + 1)))});
    return socket;
  }
  static std::string post(const std::string& body, const std::string& headers = "") {
    return "POST /call HTTP/1.1\r\nHost: localhost\r\n" + headers +
           "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
  }
  static void send(tcp::socket& socket, const std::string& text) {
    asio::write(socket, asio::buffer(text));
  }
  // Reads up to and with `end`.
  std::string read(tcp::socket& socket, const std::string& end) {
    boost::system::error_code error;
    const std::size_t size = asio::read_until(socket, asio::dynamic_buffer(ahead_), end, error);
    EXPECT_FALSE(error) << ahead_;
    std::string text = ahead_.substr(0, size);
    ahead_.erase(0, size);
    return text;
  }

  static bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  }

  SlowDoor door_;
  asio::io_context context_;
  std::unique_ptr<AdminServer> server_;
  std::string ahead_;  // read, but not returned yet
};

TEST_F(DoorOfAPort, ACallWhoseClientHasGoneIsCancelled) {
  open({});
  {
    tcp::socket socket = connect();
    send(socket, post("gone"));
    door_.wait_for(1);
  }
  door_.wait_for_cancelled();
  door_.answer();
}

TEST_F(DoorOfAPort, AClientThatEndsItsSideCountsAsGoneButGetsTheAnswer) {
  open({});
  tcp::socket socket = connect();
  send(socket, post("half\n"));
  door_.wait_for(1);
  socket.shutdown(tcp::socket::shutdown_send);
  door_.wait_for_cancelled();
  door_.answer();
  EXPECT_TRUE(has(read(socket, "half\n"), "Connection: close"));
}

TEST_F(DoorOfAPort, WhatAClientSendsAheadIsItsNextRequest) {
  open({});
  tcp::socket socket = connect();
  send(socket, post("first\n"));
  door_.wait_for(1);
  const std::string second = post("second\n");
  send(socket, second.substr(0, 20));
  door_.answer();
  EXPECT_TRUE(has(read(socket, "first\n"), "200 OK"));
  send(socket, second.substr(20) + post("third\n"));
  door_.answer();
  door_.answer();
  read(socket, "second\n");
  read(socket, "third\n");
}

TEST_F(DoorOfAPort, AnAddressHasHalfOfTheCallsAndGivesThemBack) {
  open({.connections_max = 8, .per_address_max = 4});
  tcp::socket first = connect();
  tcp::socket second = connect();
  tcp::socket third = connect();
  tcp::socket other = connect("127.0.0.2");
  send(first, post("1\n"));
  send(second, post("2\n"));
  door_.wait_for(2);
  send(third, post("3\n"));
  EXPECT_TRUE(has(read(third, "CALLS_MAX"), "429"));
  send(other, post("4\n"));
  first.close();
  for (int i = 0; i < 3; ++i) door_.answer();
  read(other, "4\n");
  send(third, post("5\n"));
  door_.answer();
  read(third, "5\n");
}

TEST_F(DoorOfAPort, UnfinishedBodiesHaveABoundForEachAddressAndInAll) {
  open({.held_bytes_max = 400'000});
  const std::string part = post(std::string(300'000, 'x')).substr(0, 150'000);
  tcp::socket first = connect();
  send(first, part);
  tcp::socket second = connect();
  send(second, part);
  tcp::socket other = connect("127.0.0.2");
  send(other, post("other\n"));
  door_.answer();
  read(other, "other\n");
  std::string texts[2];
  for (tcp::socket* const socket : {&first, &second})
    asio::async_read_until(*socket, asio::dynamic_buffer(texts[socket == &second]), "HELD_MAX",
                           [&](boost::system::error_code error, std::size_t) {
                             if (!error) context_.stop();
                           });
  context_.run();
  EXPECT_NE(has(texts[0], "429"), has(texts[1], "429")) << "the one whose bytes come last";
}

TEST_F(DoorOfAPort, TheAnswerToHeadHasNoBody) {
  open({});
  tcp::socket socket = connect();
  send(socket, "HEAD /call HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nhead\n");
  door_.answer();
  EXPECT_TRUE(has(read(socket, "\r\n\r\n"), "Content-Length: 5"));
  send(socket, post("next\n"));
  door_.answer();
  EXPECT_EQ(read(socket, "next\n").find("HTTP/1.1 200"), 0u);
  send(socket, "HEAD /call HTTP/1.1\r\nHost: evil.example.org\r\n\r\n");
  EXPECT_TRUE(has(read(socket, "\r\n\r\n"), " 421 "));
  send(socket, post("last\n"));
  door_.answer();
  EXPECT_EQ(read(socket, "last\n").find("HTTP/1.1 200"), 0u);
}

TEST_F(DoorOfAPort, TheTimeOfARequestBeginsWithItsFirstByte) {
  open({.timeout_ms = 1000});
  tcp::socket socket = connect();
  send(socket, post("first\n"));
  door_.answer();
  read(socket, "first\n");
  std::this_thread::sleep_for(std::chrono::milliseconds(2000));
  send(socket, post("second\n"));
  door_.answer();
  EXPECT_TRUE(has(read(socket, "second\n"), "200 OK"));
}

TEST_F(DoorOfAPort, AConnectionWithoutAnotherRequestIsClosed) {
  open({.timeout_ms = 20'000, .idle_ms = 100});
  tcp::socket socket = connect();
  send(socket, post("only\n"));
  door_.answer();
  read(socket, "only\n");
  char byte = 0;
  boost::system::error_code end;
  socket.read_some(asio::buffer(&byte, 1), end);
  EXPECT_EQ(end, asio::error::eof);
}

TEST_F(DoorOfAPort, AClientThatWaitsForContinueIsAskedForItsBody) {
  open({});
  const std::string expect = "Expect: 100-Continue\r\n";
  tcp::socket socket = connect();
  const std::string request = post("body\n", expect);
  send(socket, request.substr(0, request.size() - 5));
  EXPECT_EQ(read(socket, "\r\n\r\n"), "HTTP/1.1 100 Continue\r\n\r\n");
  send(socket, "body\n");
  door_.answer();
  EXPECT_EQ(read(socket, "body\n").find("HTTP/1.1 200"), 0u);
  // Without waiting, nothing need be said.
  send(socket, request);
  door_.answer();
  read(socket, "body\n");
  // The final status comes at once where the body would be of no use.
  tcp::socket large = connect();
  send(large,
       "POST /call HTTP/1.1\r\nHost: localhost\r\n" + expect + "Content-Length: 50000000\r\n\r\n");
  EXPECT_TRUE(has(read(large, "REQUEST_TOO_LARGE"), "HTTP/1.1 413"));
  tcp::socket foreign = connect();
  send(foreign,
       "POST /call HTTP/1.1\r\nHost: evil.example.org\r\n" + expect + "Content-Length: 5\r\n\r\n");
  EXPECT_EQ(read(foreign, "HOST_UNKNOWN").find("HTTP/1.1 421"), 0u);
}

TEST_F(DoorOfAPort, TheEndLetsAnswersUnderWayGoOut) {
  open({});
  tcp::socket socket = connect();
  send(socket, post("late\n"));
  door_.wait_for(1);
  auto finished = std::async(std::launch::async, [this] {
    server_->finish(std::chrono::steady_clock::now() + std::chrono::minutes(1));
    server_.reset();
  });
  EXPECT_EQ(finished.wait_for(std::chrono::milliseconds(200)), std::future_status::timeout);
  door_.answer();
  EXPECT_TRUE(has(read(socket, "late\n"), "200 OK"));
  finished.get();
}

TEST_F(DoorOfAPort, HealthIsAnsweredWhileTheFiguresAreMade) {
  std::promise<void> go_on;
  open({}, [wait = go_on.get_future().share()] {
    wait.wait();
    return std::string("figures 7\n");
  });
  tcp::socket slow = connect();
  send(slow, "GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n");
  tcp::socket other = connect();
  send(other, "GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n");
  EXPECT_TRUE(has(read(other, "alive\n"), "200 OK"));
  go_on.set_value();
  EXPECT_TRUE(has(read(slow, "figures 7\n"), "version=0.0.4"));
}

}  // namespace
}  // namespace repath

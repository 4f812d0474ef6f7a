// Which connections the table ends, on real sockets of the loopback device.
#include "rpc/connection_table.h"

#include <gtest/gtest.h>

#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace repath {
namespace {

using boost::asio::ip::tcp;

class Connections : public ::testing::Test {
 protected:
  static constexpr std::uint64_t kUnfinishedMax = 150'000;

  void SetUp() override { EXPECT_TRUE(sweep().empty()); }

  struct Pair {
    tcp::socket client;
    tcp::socket server;
    std::shared_ptr<Connection> known;
    void send(std::size_t bytes) {
      boost::asio::write(client, boost::asio::buffer(std::string(bytes, 'x')));
      std::string all(bytes, ' ');
      boost::asio::read(server, boost::asio::buffer(all));
    }
  };
  Pair connect() {
    tcp::socket client(io_);
    client.connect(acceptor_.local_endpoint());
    tcp::socket server = acceptor_.accept();
    EXPECT_TRUE(table_.add(server.native_handle()).ok());
    auto known = table_.find("ipv4:127.0.0.1:" + std::to_string(client.local_endpoint().port()));
    return {std::move(client), std::move(server), std::move(known)};
  }
  std::vector<std::string> sweep(MemoryStage stage = MemoryStage::kPlenty) {
    return table_.sweep(now_ += 1000, stage);
  }
  static bool names(const std::string& line, const Pair& pair) {
    return line.find(":" + std::to_string(pair.client.local_endpoint().port()) + " ") !=
           std::string::npos;
  }

  boost::asio::io_context io_;
  tcp::acceptor acceptor_{io_, {boost::asio::ip::address_v4::loopback(), 0}};
  ConnectionTable table_{{.connections_max = 10,
                          .per_address_max = 10,
                          .resets_max = 100,
                          .unfinished_max = kUnfinishedMax}};
  Micros now_ = 1'000'000;
};

TEST_F(Connections, WithMostOfWhatIsUnfinishedEndFirst) {
  Pair small = connect();
  Pair large = connect();
  small.send(60'000);
  large.send(80'000);
  EXPECT_TRUE(sweep().empty());
  large.send(40'000);
  const std::vector<std::string> ended = sweep();
  ASSERT_EQ(ended.size(), 1u);
  EXPECT_TRUE(names(ended[0], large)) << ended[0];
}

TEST_F(Connections, MessagesThatAreWholeCountNoLonger) {
  Pair one = connect();
  for (int i = 0; i < 10; ++i) {
    one.send(100'000);
    one.known->note_message(100'000);
    EXPECT_TRUE(sweep().empty());
  }
  // A small message does not hide the large ones that do not end.
  one.send(100'000);
  one.known->note_message(10);
  EXPECT_TRUE(sweep().empty());
  one.send(100'000);
  one.known->note_message(10);
  EXPECT_EQ(sweep().size(), 1u);
}

TEST_F(Connections, MayHoldLessWhileMemoryIsShort) {
  Pair one = connect();
  one.send(60'000);
  EXPECT_TRUE(sweep().empty());
  EXPECT_EQ(sweep(MemoryStage::kNarrow).size(), 1u);
  tcp::socket next(io_);
  next.connect(acceptor_.local_endpoint());
  tcp::socket server = acceptor_.accept();
  EXPECT_FALSE(table_.add(server.native_handle()).ok());
  now_ += ConnectionTable::kHoldOffUs;
  sweep();
  EXPECT_TRUE(connect().known != nullptr);
}

}  // namespace
}  // namespace repath

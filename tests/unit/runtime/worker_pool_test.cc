#include "runtime/worker_pool.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace repath {
namespace {

struct Squares {
  std::vector<std::uint64_t> out;
};

void square(void* context, std::size_t i) { static_cast<Squares*>(context)->out[i] += i * i; }

void expect_each_once(WorkerPool& pool, std::size_t count) {
  Squares squares{std::vector<std::uint64_t>(count)};
  pool.run(count, square, &squares);
  for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(squares.out[i], i * i);
}

TEST(WorkerPool, RunsEveryJobOnceWithAnyNumberOfWorkers) {
  for (const std::uint64_t workers : {0u, 1u, 2u, 4u}) {
    WorkerPool pool(workers);
    for (const std::size_t count : {0u, 1u, 2u, 8u, 1000u}) expect_each_once(pool, count);
  }
}

TEST(WorkerPool, ServesSeveralCallersAtOnce) {
  WorkerPool pool(2);
  std::vector<std::thread> callers;
  for (int i = 0; i < 4; ++i) {
    callers.emplace_back([&pool] {
      for (int round = 0; round < 200; ++round) expect_each_once(pool, 16);
    });
  }
  for (std::thread& caller : callers) caller.join();
}

}  // namespace
}  // namespace repath

#include "support/libfuzzer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <optional>
#include <utility>

#include "support/temp_path.h"

extern "C" {
int LLVMFuzzerRunDriver(int* argc, char*** argv,
                        int (*callback)(const std::uint8_t* data, std::size_t size));
std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t size_max);
std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t size_max,
                                    unsigned seed);
}

namespace repath::test {
namespace {

// The target of this process, with what spoils its inputs.
struct Running {
  explicit Running(FuzzTarget given)
      : target(std::move(given)), random(0), spoiler(target.seeds, &random) {}
  FuzzTarget target;
  Random random;
  Spoiler spoiler;
};
Running* running = nullptr;

constexpr int kWaitFactor = 10;  // by the clock an input that has no end is given so much longer

std::string text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

// An exception ends the process where it was thrown. The time of an input is processor time:
// libFuzzer's own limit is by the wall clock, which goes on while other programs run.
int read_one(const std::uint8_t* data, std::size_t size) noexcept {
  const std::clock_t before = std::clock();
  running->target.read(text_of(data, size));
  const std::clock_t took_s = (std::clock() - before) / CLOCKS_PER_SEC;
  if (took_s < running->target.input_seconds_max) return 0;
  std::fprintf(stderr, "the input took %ld s of processor time\n", static_cast<long>(took_s));
  std::abort();
}

// Ends the process over a failed expectation, so that libFuzzer keeps the input.
class Abort final : public testing::EmptyTestEventListener {
  void OnTestPartResult(const testing::TestPartResult& result) override {
    if (result.failed()) std::abort();
  }
};

// Writes the seeds to the folder of the corpus; returns the greatest size of one.
std::size_t write_seeds(const std::filesystem::path& folder,
                        const std::vector<std::string>& seeds) {
  std::filesystem::create_directories(folder);
  std::size_t greatest = 0;
  for (std::size_t i = 0; i < seeds.size(); ++i) {
    std::ofstream(folder / ("seed-" + std::to_string(i)), std::ios::binary) << seeds[i];
    greatest = std::max(greatest, seeds[i].size());
  }
  return greatest;
}

}  // namespace

void run_libfuzzer(FuzzTarget target) {
  const testing::TestInfo* test = testing::UnitTest::GetInstance()->current_test_info();
  const std::string name = std::string(test->test_suite_name()) + "." + test->name();
  const char* given = std::getenv("REPATH_FUZZ_CORPUS");  // NOLINT(concurrency-mt-unsafe)
  const std::string corpus = (given != nullptr ? given : temp_path("corpus")) + ("/" + name);
  const std::size_t greatest = write_seeds(corpus, target.seeds);
  std::vector<std::string> words{
      name,
      "-max_total_time=" + std::to_string(target.seconds),
      "-timeout=" + std::to_string(kWaitFactor * target.input_seconds_max),
      "-rss_limit_mb=" + std::to_string(target.memory_mb_max),
      "-max_len=" + std::to_string(std::max(2 * greatest, Spoiler::kBytesMax)),
      "-len_control=0",  // a maker's inputs are long from the first on
      "-reload=0",
      "-print_final_stats=1",
      "-artifact_prefix=" + corpus + ".",
      corpus};
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  auto argc = static_cast<int>(words.size());
  char** argv = arguments.data();
  Running now(std::move(target));
  running = &now;
  testing::UnitTest::GetInstance()->listeners().Append(new Abort);
  // libFuzzer calls exit() while threads of the test may still run.
  on_exit(
      +[](int status, void*) {
        std::fflush(nullptr);
        std::_Exit(status);
      },
      nullptr);
  std::exit(LLVMFuzzerRunDriver(&argc, &argv, read_one));
}

}  // namespace repath::test

// Mostly changes an input as libFuzzer does by itself. At times it makes one as the test's maker
// does, or spoils it as the tests without libFuzzer do, which reaches numbers and structure sooner.
std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t size_max,
                                    unsigned seed) {
  using repath::test::running;
  running->random = repath::Random(seed);
  const std::uint32_t dice = running->random.below(8);
  std::string text;
  if (dice == 0 && running->target.make) {
    text = running->target.make(&running->random);
  } else if (dice < 3) {
    text = repath::test::text_of(data, size);
    running->spoiler.spoil(&text);
  } else {
    return LLVMFuzzerMutate(data, size, size_max);
  }
  const std::size_t made = std::min(text.size(), size_max);
  std::memcpy(data, text.data(), made);
  return made;
}

// Snapshots of a layer that other threads read while its writer goes on. ThreadSanitizer checks the
// rest.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

#include "grid/cells/layer.h"

namespace repath {
namespace {

constexpr std::int32_t kTilesWide = 20;

// Makes a tile that contains the version of the layer it belongs to.
TileRef tile_of_version(std::uint64_t version) {
  TileRef tile(new Tile);
  tile.writable().free.fill(version);
  return tile;
}

TEST(GridLayerThreads, ASnapshotIsOfOneVersionHoweverTheWriterGoesOn) {
  GridLayer layer(kTilesWide * kTileSide, kTilesWide * kTileSide);
  std::mutex mutex;
  GridLayer published = layer;
  std::atomic<bool> done{false};
  std::atomic<std::uint64_t> torn{0};
  std::atomic<std::uint64_t> read{0};

  const auto reader = [&] {
    while (!done.load()) {
      GridLayer snapshot;
      {
        const std::lock_guard lock(mutex);
        snapshot = published;
      }
      const std::uint64_t version = snapshot.free_word(0, 0);
      for (std::int32_t t = 0; t < kTilesWide; ++t)
        if (snapshot.free_word(t, t * kTileSide) != version) torn.fetch_add(1);
      read.fetch_add(1);
    }
  };
  std::vector<std::thread> readers;
  for (int i = 0; i < 3; ++i) readers.emplace_back(reader);
  for (std::uint64_t version = 1; version <= 2000 || read.load() < 100; ++version) {
    for (std::int32_t t = 0; t < kTilesWide; ++t)
      layer.replace_tile(t, t, tile_of_version(version));
    const std::lock_guard lock(mutex);
    published = layer;
  }
  done.store(true);
  for (std::thread& thread : readers) thread.join();
  EXPECT_EQ(torn.load(), 0u);
}

}  // namespace
}  // namespace repath

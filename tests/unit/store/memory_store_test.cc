#include "store/memory_store.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace repath {
namespace {

class NoBytes final : public ByteSource {
 public:
  bool next(std::string*) override { return false; }
};

absl::StatusOr<StoredWorld> make(MemoryStore& store, const std::string& name) {
  CatalogEntry entry;
  entry.name = name;
  NoBytes base;
  return store.create(std::move(entry), base, Revision{2}, HistoryBound{});
}

TEST(MemoryStore, ListsWorldsByNameUntilTheyAreRemoved) {
  MemoryStore store;
  const auto wood = make(store, "wood");
  const auto lake = make(store, "lake");
  ASSERT_TRUE(wood.ok() && lake.ok());
  EXPECT_NE(wood->entry.key, lake->entry.key);
  EXPECT_EQ(wood->incarnation, 0u);
  EXPECT_EQ(wood->log->end(), Revision{2});
  const auto both = store.worlds();
  ASSERT_TRUE(both.ok());
  EXPECT_EQ(*both, (std::vector<CatalogEntry>{lake->entry, wood->entry}));
  EXPECT_TRUE(store.remove(lake->entry.key).ok());
  EXPECT_EQ(error_reason(store.remove(lake->entry.key)), "WORLD_UNKNOWN");
  EXPECT_EQ(*store.worlds(), (std::vector<CatalogEntry>{wood->entry}));
}

TEST(MemoryStore, ANameBelongsToOneWorld) {
  MemoryStore store;
  ASSERT_TRUE(make(store, "lake").ok());
  EXPECT_EQ(error_reason(make(store, "lake").status()), "WORLD_EXISTS");
}

TEST(MemoryStore, NothingIsThereToLoad) {
  MemoryStore store;
  const auto lake = make(store, "lake");
  ASSERT_TRUE(lake.ok());
  EXPECT_FALSE(store.is_durable());
  EXPECT_EQ(error_reason(store.load(lake->entry.key, HistoryBound{}).status()), "WORLD_UNKNOWN");
  EXPECT_EQ(error_reason(lake->log->accepts(Durability::kLocalDisk)), "DURABILITY_UNAVAILABLE");
}

}  // namespace
}  // namespace repath

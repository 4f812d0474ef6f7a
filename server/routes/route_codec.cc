#include "routes/route_codec.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "base/error.h"

namespace repath {
namespace {

// 2: with effects of obstacles. Batches in which all obstacles block are written as 1.
constexpr std::uint8_t kRouteBatchVersion = 2;
constexpr std::uint8_t kVersionWithoutEffects = 1;

class RouteWriter {
 public:
  template <class T>
  requires std::is_integral_v<T>
  void put(T v) {
    using Bits = std::make_unsigned_t<T>;
    for (std::size_t i = 0; i < sizeof(T); ++i)
      bytes_.push_back(static_cast<char>(static_cast<Bits>(v) >> (8 * i) & 0xff));
  }
  void put(bool v) { put(static_cast<std::uint8_t>(v)); }
  void put(double v) { put(std::bit_cast<std::uint64_t>(v)); }
  void put(ObstacleId v) { put(value(v)); }
  void put(const std::string& v) {
    put(static_cast<std::uint32_t>(v.size()));
    bytes_ += v;
  }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

// After a fault everything reads as zero and ok() is false.
class RouteReader {
 public:
  explicit RouteReader(std::string_view bytes) : rest_(bytes) {}

  bool ok() const { return ok_; }
  bool at_end() const { return rest_.empty(); }
  void fail() {
    ok_ = false;
    rest_ = {};
  }

  template <class T>
  requires std::is_integral_v<T>
  void get(T* v) {
    using Bits = std::make_unsigned_t<T>;
    Bits bits = 0;
    const std::string_view bytes = take(sizeof(T));
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      const auto byte = static_cast<Bits>(static_cast<unsigned char>(bytes[i]));
      bits = static_cast<Bits>(bits | static_cast<Bits>(byte << (8 * i)));
    }
    *v = static_cast<T>(bits);
  }
  void get(bool* v) { *v = choice(2) != 0; }
  void get(double* v) {
    std::uint64_t bits = 0;
    get(&bits);
    *v = std::bit_cast<double>(bits);
  }
  void get(ObstacleId* v) {
    std::uint64_t id = 0;
    get(&id);
    *v = ObstacleId{id};
  }
  void get(std::string* v) { *v = std::string(take(size(1))); }
  // A number below `end`.
  std::uint8_t choice(std::size_t end) {
    std::uint8_t v = 0;
    get(&v);
    if (v >= end) fail();
    return ok_ ? v : std::uint8_t{0};
  }
  // The length of a list whose items take at least `item_bytes` each.
  std::size_t size(std::size_t item_bytes) {
    std::uint32_t v = 0;
    get(&v);
    if (v > rest_.size() / item_bytes) fail();
    return ok_ ? v : 0;
  }

 private:
  std::string_view take(std::size_t bytes) {
    if (bytes > rest_.size()) fail();
    const std::string_view taken = rest_.substr(0, ok_ ? bytes : 0);
    rest_.remove_prefix(taken.size());
    return taken;
  }

  std::string_view rest_;
  bool ok_ = true;
};

// Each kind of value says its fields once, for both directions: `io` is a RouteOut or a RouteIn.
struct RouteOut {
  RouteWriter* w;
  bool has_effects;
  template <class... T>
  void fields(const T&... v) {
    (one(v), ...);
  }
  template <class T>
  void one(const T& v);
};
struct RouteIn {
  RouteReader* r;
  bool has_effects;
  template <class... T>
  void fields(T&... v) {
    (one(v), ...);
  }
  template <class T>
  void one(T& v);
};

// The least that an item of a list takes.
template <class T>
constexpr std::size_t kLeastBytes = 8;
template <>
constexpr std::size_t kLeastBytes<RouteProfile> = 20;
template <>
constexpr std::size_t kLeastBytes<RouteProfile::AreaFactor> = 9;
template <>
constexpr std::size_t kLeastBytes<RouteObstacle> = 34;
template <>
constexpr std::size_t kLeastBytes<GraphEdit> = 9;
template <>
constexpr std::size_t kLeastBytes<Point> = 16;

template <class Io, class T>
void visit_fields(Io& io, T& v) {
  using Of = std::remove_const_t<T>;
  if constexpr (std::is_same_v<Of, Point>) {
    io.fields(v.x, v.z);
  } else if constexpr (std::is_same_v<Of, Box>) {
    io.fields(v.center, v.half_x, v.half_z, v.yaw);
  } else if constexpr (std::is_same_v<Of, Circle>) {
    io.fields(v.center, v.radius);
  } else if constexpr (std::is_same_v<Of, Polygon>) {
    io.fields(v.points);
  } else if constexpr (std::is_same_v<Of, RouteProfile::AreaFactor>) {
    io.fields(v.area, v.factor);
  } else if constexpr (std::is_same_v<Of, RouteProfile>) {
    io.fields(v.name, v.radius, v.include, v.exclude, v.areas);
  } else if constexpr (std::is_same_v<Of, RouteObstacle>) {
    io.fields(v.id, v.shape, v.bottom, v.top, v.teams, v.enabled);
    if (io.has_effects) io.fields(v.effect);
  } else if constexpr (std::is_same_v<Of, RouteEffect>) {
    io.fields(v.blocks, v.factor, v.area);
  } else if constexpr (std::is_same_v<Of, GraphNode>) {
    io.fields(v.id, v.x, v.y, v.z, v.area, v.flags, v.enabled);
  } else if constexpr (std::is_same_v<Of, GraphEdge>) {
    io.fields(v.from, v.to, v.cost, v.area, v.flags, v.both, v.enabled);
  } else if constexpr (std::is_same_v<Of, RemoveGraphNode>) {
    io.fields(v.id);
  } else if constexpr (std::is_same_v<Of, RemoveGraphEdge>) {
    io.fields(v.from, v.to);
  } else if constexpr (std::is_same_v<Of, SwitchGraphEdge>) {
    io.fields(v.from, v.to, v.enabled);
  } else if constexpr (std::is_same_v<Of, PriceGraphEdge>) {
    io.fields(v.from, v.to, v.cost);
  } else if constexpr (std::is_same_v<Of, RouteBatch>) {
    io.fields(v.add_profiles, v.remove_obstacles, v.switch_obstacles, v.upsert_obstacles,
              v.switch_links, v.graph_edits);
  } else {  // switches of obstacles, links and nodes
    io.fields(v.id, v.enabled);
  }
}

template <class T>
constexpr bool kIsPlain = std::is_integral_v<T> || std::is_same_v<T, double> ||
                          std::is_same_v<T, std::string> || std::is_same_v<T, ObstacleId>;
template <class T>
constexpr bool kIsList = false;
template <class T>
constexpr bool kIsList<std::vector<T>> = true;
template <class T>
constexpr bool kIsChoice = false;
template <class... T>
constexpr bool kIsChoice<std::variant<T...>> = true;
template <class T>
constexpr bool kIsOptional = false;
template <class T>
constexpr bool kIsOptional<std::optional<T>> = true;

template <class T>
void RouteOut::one(const T& v) {
  if constexpr (kIsPlain<T>) {
    w->put(v);
  } else if constexpr (kIsList<T>) {
    w->put(static_cast<std::uint32_t>(v.size()));
    for (const auto& item : v) one(item);
  } else if constexpr (kIsChoice<T>) {
    w->put(static_cast<std::uint8_t>(v.index()));
    std::visit([this](const auto& of_kind) { this->one(of_kind); }, v);
  } else if constexpr (kIsOptional<T>) {
    w->put(v.has_value());
    if (v) one(*v);
  } else {
    visit_fields(*this, v);
  }
}

template <class Choice, std::size_t... I>
void emplace_choice(std::size_t chosen, Choice* v, std::index_sequence<I...>) {
  ((chosen == I ? static_cast<void>(v->template emplace<I>()) : void()), ...);
}

template <class T>
void RouteIn::one(T& v) {
  if constexpr (kIsPlain<T>) {
    r->get(&v);
  } else if constexpr (kIsList<T>) {
    v.resize(r->size(kLeastBytes<typename T::value_type>));
    for (auto& item : v) one(item);
  } else if constexpr (kIsChoice<T>) {
    constexpr std::size_t kKinds = std::variant_size_v<T>;
    emplace_choice(r->choice(kKinds), &v, std::make_index_sequence<kKinds>());
    std::visit([this](auto& of_kind) { this->one(of_kind); }, v);
  } else if constexpr (kIsOptional<T>) {
    bool has_value = false;
    r->get(&has_value);
    if (has_value) one(v.emplace());
  } else {
    visit_fields(*this, v);
  }
}

}  // namespace

std::string encode_route_batch(const RouteBatch& batch) {
  RouteWriter writer;
  const bool all_block = std::ranges::all_of(
      batch.upsert_obstacles,
      [](const RouteObstacle& obstacle) { return obstacle.effect == RouteEffect{}; });
  writer.put(all_block ? kVersionWithoutEffects : kRouteBatchVersion);
  RouteOut out{&writer, !all_block};
  out.one(batch);
  return writer.take();
}

absl::StatusOr<RouteBatch> decode_route_batch(std::string_view bytes) {
  RouteReader reader(bytes);
  std::uint8_t version = 0;
  reader.get(&version);
  if (reader.ok() && version != kRouteBatchVersion && version != kVersionWithoutEffects)
    return make_error(absl::StatusCode::kUnimplemented, "BATCH_VERSION", "",
                      "batch of version " + std::to_string(version) + ", known are 1 to " +
                          std::to_string(kRouteBatchVersion));
  RouteBatch batch;
  RouteIn in{&reader, version == kRouteBatchVersion};
  in.one(batch);
  if (!reader.ok() || !reader.at_end())
    return make_error(absl::StatusCode::kDataLoss, "BATCH_DAMAGED", "",
                      "the bytes are no batch: cut off, too long or out of range");
  return batch;
}

}  // namespace repath

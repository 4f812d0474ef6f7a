#include "world/codec.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "base/error.h"

namespace repath {
namespace {

constexpr std::uint8_t kVersion = 3;

class Writer {
 public:
  template <class T>
  void integer(T v) {
    using Bits = std::make_unsigned_t<T>;
    for (std::size_t i = 0; i < sizeof(T); ++i)
      bytes_.push_back(static_cast<char>(static_cast<Bits>(v) >> (8 * i) & 0xff));
  }
  void real(double v) { integer(std::bit_cast<std::uint64_t>(v)); }
  void boolean(bool v) { integer(static_cast<std::uint8_t>(v)); }
  void size(std::size_t v) { integer(static_cast<std::uint32_t>(v)); }
  void text(const std::string& v) {
    size(v.size());
    bytes_ += v;
  }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

// After a fault everything reads as zero and ok() is false.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {}

  bool ok() const { return ok_; }
  bool at_end() const { return rest_.empty(); }
  void fail() {
    ok_ = false;
    rest_ = {};
  }

  template <class T>
  T integer() {
    std::make_unsigned_t<T> v = 0;
    const std::string_view bytes = take(sizeof(T));
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      const auto byte = static_cast<std::make_unsigned_t<T>>(static_cast<unsigned char>(bytes[i]));
      v = static_cast<std::make_unsigned_t<T>>(
          v | static_cast<std::make_unsigned_t<T>>(byte << (8 * i)));
    }
    return static_cast<T>(v);
  }
  double real() { return std::bit_cast<double>(integer<std::uint64_t>()); }
  // A number below `end`.
  std::uint8_t choice(std::uint8_t end) {
    const auto v = integer<std::uint8_t>();
    if (v >= end) fail();
    return ok_ ? v : std::uint8_t{0};
  }
  bool boolean() { return choice(2) != 0; }
  // The length of a list whose items take at least `item_bytes` each.
  std::size_t size(std::size_t item_bytes) {
    const std::size_t v = integer<std::uint32_t>();
    if (v > rest_.size() / item_bytes) fail();
    return ok_ ? v : 0;
  }
  std::string text() { return std::string(take(size(1))); }

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

void write(const CellRect& r, Writer* w) {
  w->integer(r.x0);
  w->integer(r.y0);
  w->integer(r.x1);
  w->integer(r.y1);
}
void read(Reader* r, CellRect* rect) {
  rect->x0 = r->integer<std::int32_t>();
  rect->y0 = r->integer<std::int32_t>();
  rect->x1 = r->integer<std::int32_t>();
  rect->y1 = r->integer<std::int32_t>();
}

void write(Point p, Writer* w) {
  w->real(p.x);
  w->real(p.z);
}
void read(Reader* r, Point* p) {
  p->x = r->real();
  p->z = r->real();
}

void write(const Box& box, Writer* w) {
  write(box.center, w);
  w->real(box.half_x);
  w->real(box.half_z);
  w->real(box.yaw);
}
void read(Reader* r, Box* box) {
  read(r, &box->center);
  box->half_x = r->real();
  box->half_z = r->real();
  box->yaw = r->real();
}

void write(const Circle& circle, Writer* w) {
  write(circle.center, w);
  w->real(circle.radius);
}
void read(Reader* r, Circle* circle) {
  read(r, &circle->center);
  circle->radius = r->real();
}

void write(const Polygon& polygon, Writer* w) {
  w->size(polygon.points.size());
  for (const Point& p : polygon.points) write(p, w);
}
void read(Reader* r, Polygon* polygon) {
  polygon->points.resize(r->size(16));
  for (Point& p : polygon->points) read(r, &p);
}

void write(const Shape& shape, Writer* w) {
  w->integer(static_cast<std::uint8_t>(shape.index()));
  std::visit([w](const auto& of_kind) { write(of_kind, w); }, shape);
}
void read(Reader* r, Shape* shape) {
  switch (r->choice(std::variant_size_v<Shape>)) {
    case 0:
      *shape = CellRect{};
      break;
    case 1:
      *shape = Box{};
      break;
    case 2:
      *shape = Circle{};
      break;
    default:
      *shape = Polygon{};
      break;
  }
  std::visit([r](auto& of_kind) { read(r, &of_kind); }, *shape);
}

void write(const ObstacleSpec& spec, Writer* w) {
  w->integer(value(spec.id));
  write(spec.shape, w);
  w->boolean(spec.effect.blocked);
  w->real(spec.effect.factor);
  w->integer(spec.teams);
  w->boolean(spec.enabled);
}
void read(Reader* r, ObstacleSpec* spec) {
  spec->id = ObstacleId{r->integer<std::uint64_t>()};
  read(r, &spec->shape);
  spec->effect.blocked = r->boolean();
  spec->effect.factor = r->real();
  spec->teams = r->integer<TeamMask>();
  spec->enabled = r->boolean();
}

void write(ObstacleId id, Writer* w) { w->integer(value(id)); }
void read(Reader* r, ObstacleId* id) { *id = ObstacleId{r->integer<std::uint64_t>()}; }

void write(const ObstacleSwitch& s, Writer* w) {
  write(s.id, w);
  w->boolean(s.enabled);
}
void read(Reader* r, ObstacleSwitch* s) {
  read(r, &s->id);
  s->enabled = r->boolean();
}

void write(const TerrainEdit& edit, Writer* w) {
  write(edit.cells, w);
  w->integer(static_cast<std::uint8_t>(edit.terrain));
}
void read(Reader* r, TerrainEdit* edit) {
  read(r, &edit->cells);
  edit->terrain = TerrainId{r->integer<std::uint8_t>()};
}

void write(const InfluenceDecay& decay, Writer* w) {
  w->integer(static_cast<std::uint8_t>(decay.team));
  w->integer(decay.layer);
  w->integer(decay.keep_permille);
  w->boolean(decay.cells.has_value());
  if (decay.cells) write(*decay.cells, w);
}
void read(Reader* r, InfluenceDecay* decay) {
  decay->team = TeamId{r->integer<std::uint8_t>()};
  decay->layer = r->integer<std::uint8_t>();
  decay->keep_permille = r->integer<std::int32_t>();
  if (r->boolean()) read(r, &decay->cells.emplace());
}

void write(const InfluenceEdit& edit, Writer* w) {
  write(edit.shape, w);
  w->integer(static_cast<std::uint8_t>(edit.team));
  w->integer(edit.layer);
  w->integer(static_cast<std::uint8_t>(edit.change.kind));
  w->integer(edit.change.amount);
}
void read(Reader* r, InfluenceEdit* edit) {
  read(r, &edit->shape);
  edit->team = TeamId{r->integer<std::uint8_t>()};
  edit->layer = r->integer<std::uint8_t>();
  edit->change.kind = LevelChange::Kind{r->choice(2)};
  edit->change.amount = r->integer<std::int32_t>();
}

void write(const FogEdit& edit, Writer* w) {
  write(edit.shape, w);
  w->integer(static_cast<std::uint8_t>(edit.team));
  w->boolean(edit.hidden);
}
void read(Reader* r, FogEdit* edit) {
  read(r, &edit->shape);
  edit->team = TeamId{r->integer<std::uint8_t>()};
  edit->hidden = r->boolean();
}

void write(const Body& body, Writer* w) {
  w->integer(value(body.agent));
  write(body.shape, w);
}
void read(Reader* r, Body* body) {
  body->agent = AgentId{r->integer<std::uint64_t>()};
  read(r, &body->shape);
}

void write(AgentId id, Writer* w) { w->integer(value(id)); }
void read(Reader* r, AgentId* id) { *id = AgentId{r->integer<std::uint64_t>()}; }

void write(const TerrainRule& rule, Writer* w) {
  w->integer(static_cast<std::uint8_t>(rule.terrain));
  w->real(rule.factor);
  w->boolean(rule.forbidden);
}
void read(Reader* r, TerrainRule* rule) {
  rule->terrain = TerrainId{r->integer<std::uint8_t>()};
  rule->factor = r->real();
  rule->forbidden = r->boolean();
}

template <class T>
void write_list(const std::vector<T>& list, Writer* w) {
  w->size(list.size());
  for (const T& item : list) write(item, w);
}
// `item_bytes`: the least an item takes.
template <class T>
void read_list(Reader* r, std::size_t item_bytes, std::vector<T>* list) {
  list->resize(r->size(item_bytes));
  for (T& item : *list) read(r, &item);
}

void write(const Profile& profile, Writer* w) {
  w->text(profile.name);
  w->integer(static_cast<std::uint8_t>(profile.topology));
  w->integer(static_cast<std::uint8_t>(profile.corner_rule));
  w->real(profile.radius);
  write_list(profile.terrain_rules, w);
}
void read(Reader* r, Profile* profile) {
  profile->name = r->text();
  profile->topology = Topology{r->choice(3)};
  profile->corner_rule = CornerRule{r->choice(2)};
  profile->radius = r->real();
  read_list(r, 10, &profile->terrain_rules);
}

}  // namespace

std::string encode_batch(const ChangeBatch& batch) {
  Writer w;
  w.integer(kVersion);
  write_list(batch.upsert_obstacles, &w);
  write_list(batch.remove_obstacles, &w);
  write_list(batch.switch_obstacles, &w);
  write_list(batch.terrain_edits, &w);
  write_list(batch.add_profiles, &w);
  write_list(batch.decay_influence, &w);
  write_list(batch.influence_edits, &w);
  write_list(batch.fog_edits, &w);
  write_list(batch.stand, &w);
  write_list(batch.walk_on, &w);
  return w.take();
}

absl::StatusOr<ChangeBatch> decode_batch(std::string_view bytes) {
  Reader r(bytes);
  const auto version = r.integer<std::uint8_t>();
  if (r.ok() && version != kVersion) {
    return make_error(
        absl::StatusCode::kUnimplemented, "BATCH_VERSION", "",
        "batch of version " + std::to_string(version) + ", known is " + std::to_string(kVersion));
  }
  ChangeBatch batch;
  read_list(&r, 27, &batch.upsert_obstacles);
  read_list(&r, 8, &batch.remove_obstacles);
  read_list(&r, 9, &batch.switch_obstacles);
  read_list(&r, 17, &batch.terrain_edits);
  read_list(&r, 18, &batch.add_profiles);
  read_list(&r, 7, &batch.decay_influence);
  read_list(&r, 12, &batch.influence_edits);
  read_list(&r, 7, &batch.fog_edits);
  read_list(&r, 13, &batch.stand);
  read_list(&r, 8, &batch.walk_on);
  if (!r.ok() || !r.at_end()) {
    return make_error(absl::StatusCode::kDataLoss, "BATCH_DAMAGED", "",
                      "the bytes are no batch: cut off, too long or out of range");
  }
  return batch;
}

}  // namespace repath

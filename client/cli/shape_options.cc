#include "cli/shape_options.h"

#include <limits>
#include <vector>

#include "cli/parse.h"

namespace repath::cli {
namespace {

void read_block(const char* name, const std::string& text, v1::Obstacle& obstacle) {
  *obstacle.mutable_cells() = parse_rect(name, text);
}

void read_box(const char* name, const std::string& text, v1::Obstacle& obstacle) {
  const auto values = parse_reals(name, text, 4, 5, "X,Z,HALF_X,HALF_Z or X,Z,HALF_X,HALF_Z,YAW");
  v1::BoxShape& box = *obstacle.mutable_box();
  box.mutable_center()->set_x(values[0]);
  box.mutable_center()->set_z(values[1]);
  box.set_half_x(values[2]);
  box.set_half_z(values[3]);
  if (values.size() == 5) box.set_yaw(values[4]);
}

void read_circle(const char* name, const std::string& text, v1::Obstacle& obstacle) {
  *obstacle.mutable_cylinder() = parse_circle(name, text);
}

void read_polygon(const char* name, const std::string& text, v1::Obstacle& obstacle) {
  const std::string expected = "the corners X,Z,X,Z,X,Z,...";
  const auto values = parse_reals(name, text, 6, std::numeric_limits<std::size_t>::max(), expected);
  if (values.size() % 2 != 0)
    throw CLI::ValidationError(name, "expected " + expected + ", got an odd number of values");
  for (const double value : values) obstacle.mutable_polygon()->add_xz(value);
}

void read_capsule(const char* name, const std::string& text, v1::Obstacle& obstacle) {
  const auto values = parse_reals(name, text, 5, 5, "X,Z,X,Z,RADIUS");
  v1::CapsuleShape& capsule = *obstacle.mutable_capsule();
  capsule.mutable_from()->set_x(values[0]);
  capsule.mutable_from()->set_z(values[1]);
  capsule.mutable_to()->set_x(values[2]);
  capsule.mutable_to()->set_z(values[3]);
  capsule.set_radius(values[4]);
}

constexpr ShapeOption kShapeOptions[] = {
    {"--block", "RECT",
     "Grids: shape of the obstacle, the cells X0,Y0,X1,Y1 (X1 and Y1 are outside)", read_block},
    {"--box", "BOX",
     "Shape of the obstacle, a box X,Z,HALF_X,HALF_Z[,YAW]: centre and half sides in world units, "
     "yaw in radians",
     read_box},
    {"--circle", "CIRCLE", "Shape of the obstacle, a circle X,Z,RADIUS in world units",
     read_circle},
    {"--polygon", "CORNERS",
     "Shape of the obstacle, a polygon with the corners X,Z,X,Z,X,Z,... in world units",
     read_polygon},
    {"--capsule", "CAPSULE",
     "Shape of the obstacle, a wall X,Z,X,Z,RADIUS with round ends: its two ends and half its "
     "thickness in world units",
     read_capsule},
};

}  // namespace

std::span<const ShapeOption> shape_options() { return kShapeOptions; }

std::string shape_option_names(const std::string& last) {
  std::string names;
  for (const ShapeOption& shape : kShapeOptions) {
    if (!names.empty()) names += &shape == std::end(kShapeOptions) - 1 ? last : ", ";
    names += shape.name;
  }
  return names;
}

}  // namespace repath::cli

// Writes Protobuf's wire format (protobuf.dev/programming-guides/encoding) field by field, without
// message objects, whose making would be most of the work. Fields that are zero are left out.
//
// A message is described once, as a function of the fields, and run twice: WireCount finds the
// lengths, WireWrite writes the bytes; wire_bytes() does both.
//
//   wire_bytes([&](auto& out) { out.message(2, [&](auto& inner) { inner.real(1, 0.5); }); });
//
// Not thread-safe. Invariant: both runs of a description make the same calls.
#pragma once

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/wire_format_lite.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "base/check.h"

namespace repath {

// Lengths of the parts that are written with their length before them, in the order in which the
// parts begin. The first ones are stored in place; an event has no more.
using WireLengths = absl::InlinedVector<std::size_t, 12>;

// The fields as a sink receives them. `Sink` has varint(), fixed64() and bytes(), and begin() and
// end() around a part with its length before it.
template <class Sink>
class WireFields {
 public:
  // Writes unsigned types, bools, and signed types whose value is not negative.
  void number(int field, std::uint64_t v) {
    if (v != 0) number_even_if_zero(field, v);
  }
  // Writes an enum whose values are not negative.
  template <class Enum>
  requires std::is_enum_v<Enum>
  void number(int field, Enum v) { number(field, static_cast<std::uint64_t>(v)); }
  // Writes a field that is `optional`.
  void number_even_if_zero(int field, std::uint64_t v) {
    tag(field, Format::WIRETYPE_VARINT);
    sink().varint(v);
  }
  void fixed(int field, std::uint64_t v) {
    if (v == 0) return;
    tag(field, Format::WIRETYPE_FIXED64);
    sink().fixed64(v);
  }
  void real(int field, double v) { fixed(field, std::bit_cast<std::uint64_t>(v)); }
  void text(int field, std::string_view v) {
    if (!v.empty()) delimited(field, [&](Sink& out) { out.bytes(v.data(), v.size()); });
  }

  // Write a packed list of the elements each(0) to each(count - 1).
  template <class Each>
  void numbers(int field, std::size_t count, Each each) {
    if (count == 0) return;
    delimited(field, [&](Sink& out) {
      for (std::size_t i = 0; i < count; ++i) out.varint(each(i));
    });
  }
  template <class Each>
  void reals(int field, std::size_t count, Each each) {
    if (count == 0) return;
    delimited(field, [&](Sink& out) {
      for (std::size_t i = 0; i < count; ++i) out.fixed64(std::bit_cast<std::uint64_t>(each(i)));
    });
  }

  // Writes the field even if the body writes nothing; it is then present and empty.
  template <class Body>
  void message(int field, Body body) {
    delimited(field, body);
  }

 private:
  using Format = google::protobuf::internal::WireFormatLite;
  Sink& sink() { return static_cast<Sink&>(*this); }
  void tag(int field, Format::WireType type) { sink().varint(Format::MakeTag(field, type)); }
  template <class Body>
  void delimited(int field, Body body) {
    tag(field, Format::WIRETYPE_LENGTH_DELIMITED);
    const std::size_t mark = sink().begin();
    body(sink());
    sink().end(mark);
  }
};

class WireCount final : public WireFields<WireCount> {
 public:
  std::size_t size() const { return size_; }
  const WireLengths& lengths() const { return lengths_; }

  void varint(std::uint64_t v) { size_ += varint_size(v); }
  void fixed64(std::uint64_t) { size_ += sizeof(std::uint64_t); }
  void bytes(const void*, std::size_t size) { size_ += size; }
  std::size_t begin() {
    lengths_.push_back(size_);
    return lengths_.size() - 1;
  }
  void end(std::size_t mark) {
    lengths_[mark] = size_ - lengths_[mark];
    size_ += varint_size(lengths_[mark]);
  }

 private:
  static std::size_t varint_size(std::uint64_t v) {
    return google::protobuf::io::CodedOutputStream::VarintSize64(v);
  }
  std::size_t size_ = 0;
  WireLengths lengths_;
};

class WireWrite final : public WireFields<WireWrite> {
 public:
  // Borrows both; `to` has room for the bytes that were counted.
  WireWrite(std::uint8_t* to, const WireLengths& lengths) : at_(to), lengths_(lengths) {}

  const std::uint8_t* at() const { return at_; }

  void varint(std::uint64_t v) { at_ = Stream::WriteVarint64ToArray(v, at_); }
  void fixed64(std::uint64_t v) { at_ = Stream::WriteLittleEndian64ToArray(v, at_); }
  void bytes(const void* from, std::size_t size) {
    std::memcpy(at_, from, size);
    at_ += size;
  }
  std::size_t begin() {
    varint(lengths_[next_++]);
    return 0;
  }
  void end(std::size_t) {}

 private:
  using Stream = google::protobuf::io::CodedOutputStream;
  std::uint8_t* at_;
  const WireLengths& lengths_;
  std::size_t next_ = 0;
};

// Writes the message that `body` describes. `make(size)` returns the place to write to, a
// std::uint8_t*.
template <class Body, class Make>
void write_wire(Body body, Make make) {
  WireCount count;
  body(count);
  std::uint8_t* const begin = make(count.size());
  WireWrite out(begin, count.lengths());
  body(out);
  REPATH_CHECK(out.at() == begin + count.size());
}

template <class Body>
std::vector<std::uint8_t> wire_bytes(Body body) {
  std::vector<std::uint8_t> bytes;
  write_wire(body, [&](std::size_t size) {
    bytes.resize(size);
    return bytes.data();
  });
  return bytes;
}

}  // namespace repath

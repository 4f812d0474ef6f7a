#include "grid/cells/cells.h"

#include <algorithm>
#include <cstddef>

namespace repath {
namespace {

// Appends the spans of the three rows around y to `out`, widened by one cell and merged. `scratch`
// is empty.
void dilate_row(const CellSpans& spans, std::int32_t y, std::int32_t width, CellSpans* scratch,
                CellSpans* out) {
  for (std::size_t i = first_span_of_row(spans, y - 1); i < spans.size() && spans[i].y <= y + 1;
       ++i)
    scratch->push_back({y, std::max(0, spans[i].x0 - 1), std::min(width, spans[i].x1 + 1)});
  append_row(y, scratch, out);
}

}  // namespace

std::uint64_t cell_count(const CellSpans& spans) {
  std::uint64_t count = 0;
  for (const CellSpan& span : spans) count += static_cast<std::uint64_t>(span.x1 - span.x0);
  return count;
}

std::size_t first_span_of_row(const CellSpans& spans, std::int32_t y) {
  // Most shapes have one span in each row.
  if (!spans.empty() && y > spans.front().y) {
    const auto guess = static_cast<std::size_t>(y - spans.front().y);
    if (guess < spans.size() && spans[guess].y == y && spans[guess - 1].y < y) return guess;
  }
  const auto first = std::partition_point(spans.begin(), spans.end(),
                                          [y](const CellSpan& span) { return span.y < y; });
  return static_cast<std::size_t>(first - spans.begin());
}

void append_row(std::int32_t y, CellSpans* row, CellSpans* out) {
  std::ranges::sort(*row, {}, &CellSpan::x0);
  for (CellSpan span : *row) {
    span.y = y;
    if (!out->empty() && out->back().y == y && out->back().x1 >= span.x0)
      out->back().x1 = std::max(out->back().x1, span.x1);
    else
      out->push_back(span);
  }
  row->clear();
}

CellSpans dilate(const CellSpans& spans, std::int32_t width, std::int32_t height) {
  CellSpans out;
  CellSpans scratch;
  std::int32_t next_row = 0;
  for (const CellSpan& span : spans) {
    for (std::int32_t y = std::max(next_row, span.y - 1); y <= std::min(height - 1, span.y + 1);
         ++y) {
      dilate_row(spans, y, width, &scratch, &out);
      next_row = y + 1;
    }
  }
  return out;
}

}  // namespace repath

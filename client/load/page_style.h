// Style of the page, for light and dark.
#pragma once

namespace repath::load {

inline constexpr const char* kPageStyle = R"(
:root{color-scheme:light dark;--bg:#f6f7f8;--fg:#1d2126;--dim:#5c6570;--line:#e1e4e8;--card:#fff;--good:#23824b;--bad:#c4342b;--warn:#9a6700}
@media(prefers-color-scheme:dark){:root{--bg:#14171a;--fg:#e7e9ec;--dim:#98a0ab;--line:#31363d;--card:#1b1f24;--good:#4fbf7c;--bad:#f0604d;--warn:#e0a100}}
body{background:var(--bg);color:var(--fg);font:16px/1.5 system-ui,"DejaVu Sans",sans-serif;max-width:62rem;margin:2rem auto;padding:0 1rem}
h1{font-size:1.8rem;margin:0}h2{font-size:1.15rem;margin:2.2rem 0 .2rem}
p{margin:.3rem 0;color:var(--dim)}.lead{font-size:1.05rem;color:var(--fg);margin:.5rem 0 1.2rem}
.cards{display:grid;grid-template-columns:repeat(auto-fill,minmax(13.5rem,1fr));gap:.8rem;margin:1rem 0}
.card{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:.8rem 1rem}
.card b{display:block;font-size:1.65rem;line-height:1.25;font-variant-numeric:tabular-nums}.card span{font-size:.85rem;color:var(--dim)}
.card em{font-style:normal;font-size:.8rem;color:var(--dim)}
.verdict{display:inline-block;border-radius:2rem;padding:.15rem .9rem;font-weight:600;color:#fff;margin:.6rem 0}
.good{background:var(--good)}.bad{background:var(--bad)}.none{background:var(--dim)}
.warning{border-left:4px solid var(--warn);background:var(--card);padding:.5rem .9rem;margin:.5rem 0;color:var(--fg)}
figure{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:1rem;margin:.6rem 0}
svg{width:100%;height:auto;display:block}svg .grid{stroke:var(--line)}svg .label{fill:var(--dim);font-size:12.5px}
svg .bound{stroke:var(--bad);stroke-width:1.5;stroke-dasharray:6 4}svg .before{fill:var(--line);opacity:.5}
path{fill:none;stroke-width:2.2;stroke-linecap:round;stroke-linejoin:round}
path.c0{stroke:#4c78dc}path.c1{stroke:#e08a00}path.c2{stroke:#3aa655}path.c3{stroke:#9a63ea}path.c4{stroke:#f0604d}path.c5{stroke:#8d939c}
rect.c1{fill:#4c78dc}
.legend{margin:0 0 .3rem}.legend span{margin-right:1.1rem;white-space:nowrap;color:var(--fg);font-size:.85rem}
.legend i{display:inline-block;width:1rem;height:.22rem;border-radius:2px;margin-right:.4rem;vertical-align:.25rem}
i.c0{background:#4c78dc}i.c1{background:#e08a00}i.c2{background:#3aa655}i.c3{background:#9a63ea}i.c4{background:#f0604d}i.c5{background:#8d939c}i.b{background:var(--bad)}
table{border-collapse:collapse;font-size:.9rem;font-variant-numeric:tabular-nums;background:var(--card);border:1px solid var(--line);border-radius:10px;margin:.6rem 0;width:100%}
th,td{padding:.3rem .8rem;border-bottom:1px solid var(--line);text-align:right}th:first-child,td:first-child{text-align:left}
td{overflow-wrap:anywhere}td.met{color:var(--good);font-weight:600}td.missed{color:var(--bad);font-weight:600}tr:last-child td{border-bottom:0}
)";

// The same colours in a plot that is a file of its own.
inline constexpr const char* kPlotFileStyle = R"(
svg{--fg:#1d2126;--dim:#5c6570;--line:#e1e4e8;--card:#fff;--bad:#c4342b;font-family:system-ui,"DejaVu Sans",sans-serif}
@media(prefers-color-scheme:dark){svg{--fg:#e7e9ec;--dim:#98a0ab;--line:#31363d;--card:#1b1f24;--bad:#f0604d}}
.ground{fill:var(--card)}.grid{stroke:var(--line)}.label{fill:var(--dim);font-size:12.5px}
.bound{stroke:var(--bad);stroke-width:1.5;stroke-dasharray:6 4}.before{fill:var(--line);opacity:.5}
path{fill:none;stroke-width:2.2;stroke-linecap:round;stroke-linejoin:round}
path.c0{stroke:#4c78dc}path.c1{stroke:#e08a00}path.c2{stroke:#3aa655}path.c3{stroke:#9a63ea}path.c4{stroke:#f0604d}path.c5{stroke:#8d939c}
)";

}  // namespace repath::load

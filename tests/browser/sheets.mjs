// Lays the screenshots of one look on one sheet, for client/console/docs, and copies two of them there. Run the tests first: they take
// the screenshots.
//
//   node sheets.mjs
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { start_browser } from './browser.mjs';
import { repository } from './server.mjs';

const sheets = {
  light: ['worlds', 'demonstration', 'place-mesh', 'why', 'search-place', 'past-agents'],
  dark: ['worlds-dark', 'overview-dark', 'towers-dark', 'agent-dark', 'search-dark', 'history-dark'],
  phone: ['worlds-phone', 'overview-phone', 'streets-map-phone', 'agent-phone', 'search-phone', 'history-phone'],
};
// Shown at half their size, three or six beside each other.
const halves = { light: [640, 360, 3], dark: [640, 360, 3], phone: [195, 400, 6] };
const copied = { why: 'why', search: 'search-place' };
const gap = 8;

for (const [to, from] of Object.entries(copied)) {
  copyFileSync(join(repository, `build/browser/${from}.png`), join(repository, `client/console/docs/${to}.png`));
}
const browser = await start_browser();
try {
  for (const [look, names] of Object.entries(sheets)) {
    const [width, height, columns] = halves[look];
    const page = await browser.newPage({
      viewport: { width: columns * (width + gap) + gap, height: (names.length / columns) * (height + gap) + gap },
    });
    const images = names.map((name) => readFileSync(join(repository, `build/browser/${name}.png`)).toString('base64'));
    await page.setContent(
      `<body style="margin:${gap}px;display:grid;gap:${gap}px;background:#888;grid-template-columns:repeat(${columns},${width}px)">` +
        images.map((data) => `<img width=${width} height=${height} src="data:image/png;base64,${data}">`).join(''),
    );
    await page.waitForFunction(() => [...document.images].every((image) => image.complete));
    await page.screenshot({ path: join(repository, `client/console/docs/pages-${look}.png`) });
    await page.close();
  }
} finally {
  await browser.close();
}

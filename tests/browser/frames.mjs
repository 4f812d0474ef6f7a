// Measures the map: frames a second in software-rendered Chromium at 1280 x 720, with 10,000 agents on 1024 x 1024 cells
// that this page walks, and 2,000 of their paths shown. Before they walk it measures what one viewer costs the server.
//
//   node frames.mjs [SECONDS]     prints one JSON object on one line
import { readFileSync } from 'node:fs';
import { new_page, start_browser } from './browser.mjs';
import { start_server } from './server.mjs';
import { make_city } from './worlds.mjs';

const seconds = Number(process.argv[2] ?? 10);
const agents = 10_000;

// Seconds of processor time that a process has used.
function used(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

const pause = (ms) => new Promise((done) => setTimeout(done, ms));

async function cores(pid) {
  const before = used(pid);
  await pause(seconds * 1000);
  return +((used(pid) - before) / seconds).toFixed(3);
}

async function settled(server) {
  for (let i = 0; i < 600; ++i) {
    const stats = await server.call('DebugService/GetStats', { world: 'city' });
    if (Number(stats.agents ?? 0) === agents && !Number(stats.waiting ?? 0)) return;
    await pause(200);
  }
  throw new Error('the agents still wait');
}

// Frames a second as the page counts them, each second.
async function frames(page) {
  const seen = [];
  for (let i = 0; i < seconds; ++i) {
    await pause(1000);
    const text = await page.locator('.readout.numbers').innerText();
    const match = /(\d+) frames\/s(?: · ([\d.]+) ms)?/.exec(text);
    seen.push([Number(match[1]), Number(match[2] ?? 0)]);
  }
  const counts = seen.map(([n]) => n).sort((a, b) => a - b);
  const times = seen.map(([, ms]) => ms).sort((a, b) => a - b);
  return { median: counts[seconds >> 1], least: counts[0], draw_ms: times[seconds >> 1] };
}

const server = await start_server();
const browser = await start_browser();
try {
  await make_city(server, 'city', agents);
  await settled(server);
  const quiet = await cores(server.child.pid);
  const view = await new_page(browser, server);
  await view.open('#/world/city');
  await pause(3000);
  await view.picture('frames');
  const still = await cores(server.child.pid);
  await view.page.getByLabel('Walk').check();
  await pause(1500);
  const walking = await frames(view.page);
  await view.page.evaluate(() => {
    let turn = 0;
    // Moves the view all the time: the costliest case, because each frame draws the ground again.
    setInterval(() => {
      const key = ['ArrowLeft', 'ArrowUp', 'ArrowRight', 'ArrowDown'][(turn++ >> 3) & 3];
      document.querySelector('.map canvas').dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
    }, 33);
  });
  await pause(1500);
  const panned = await frames(view.page);
  await view.done();
  console.log(JSON.stringify({ agents, walking, panned, server_cores: { without_viewer: quiet, with_viewer: still } }));
} finally {
  await browser.close();
  await server.stop();
}

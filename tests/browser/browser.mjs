// A page of the console in Debian's Chromium. An error that the page reports fails the test.
//
// REPATH_CHROMIUM is the browser's program (default /usr/bin/chromium). Screenshots are kept in build/browser.
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { repository } from './server.mjs';

const program = process.env.REPATH_CHROMIUM ?? '/usr/bin/chromium';
const pictures = join(repository, 'build/browser');
mkdirSync(pictures, { recursive: true });

// The browser's own words about a server that is gone or refuses. Tests allow them where that is the subject.
const passing = /net::ERR_|WebSocket connection to .* failed|Failed to load resource/;

// Its words about a page that is left before its streams are open.
const left = /WebSocket is closed before the connection is established/;

export const sizes = { wide: { width: 1280, height: 720 }, phone: { width: 390, height: 800 } };

export class Page {
  constructor(page, base) {
    this.page = page;
    this.base = base;
    this.errors = [];
    this.outage = false;
    this.leaving = false;
    page.on('pageerror', (error) => this.errors.push(String(error.stack ?? error)));
    page.on('console', (message) => {
      if (!['error', 'warning'].includes(message.type())) return;
      if (this.leaving && left.test(message.text())) return;
      if (this.outage && passing.test(message.text())) return;
      this.errors.push(message.text());
    });
  }

  // Opens the console at a place such as '#/world/hall', and waits until the feed is live if it is a world.
  async open(hash = '') {
    this.leaving = true;
    await this.page.goto('about:blank');
    await this.page.goto(this.base + hash);
    this.leaving = false;
    if (hash.startsWith('#/world/')) await this.live();
  }

  async live() {
    await this.page.locator('.pill.live').waitFor();
  }

  // Waits until a text is seen.
  async see(text) {
    await this.page.getByText(text).first().waitFor();
  }

  async press(name) {
    await this.page.getByRole('button', { name, exact: true }).first().click();
  }

  async tab(name) {
    await this.page.getByRole('tab', { name }).click();
  }

  // Waits until an agent is selected; returns its id. The page chooses the ids of agents that it places.
  async selected_agent() {
    const selected = () => new URLSearchParams(location.hash.split('?')[1]).get('select')?.match(/^agent (\d+)$/)?.[1];
    const id = await (await this.page.waitForFunction(selected)).jsonValue();
    await this.see(`Agent ${id}`);
    return id;
  }

  // The point of the window at which a place of a world is drawn; x and y in cells or world units.
  async point(x, y) {
    const box = await this.page.locator('.map canvas').first().boundingBox();
    const view = await this.page.evaluate(() => new URLSearchParams(location.hash.split('?')[1]).get('at'));
    const [cx, cy, scale] = view.split(',').map(Number);
    return [box.x + box.width / 2 + (x - cx) * scale, box.y + box.height / 2 + (y - cy) * scale];
  }

  async click(x, y) {
    await this.page.mouse.click(...(await this.point(x, y)));
  }

  async drag(x0, y0, x1, y1) {
    await this.page.mouse.move(...(await this.point(x0, y0)));
    await this.page.mouse.down();
    await this.page.mouse.move(...(await this.point(x1, y1)), { steps: 6 });
    await this.page.mouse.up();
  }

  // The colour of the map at a place, as [red, green, blue].
  async colour(x, y) {
    const [px, py] = await this.point(x, y);
    const shot = await this.page.screenshot({ clip: { x: Math.round(px), y: Math.round(py), width: 1, height: 1 } });
    return this.page.evaluate(async (bytes) => {
      const bitmap = await createImageBitmap(new Blob([new Uint8Array(bytes)], { type: 'image/png' }));
      const canvas = new OffscreenCanvas(1, 1);
      const context = canvas.getContext('2d');
      context.drawImage(bitmap, 0, 0);
      return [...context.getImageData(0, 0, 1, 1).data.slice(0, 3)];
    }, [...shot]);
  }

  async picture(name) {
    await this.page.screenshot({ path: join(pictures, `${name}.png`) });
  }

  // Closes the page. Throws if it reported an error.
  async done() {
    this.leaving = true;
    await this.page.context().close();
    assert.deepEqual(this.errors, []);
  }
}

export async function start_browser(...flags) {
  return chromium.launch({ executablePath: program, args: ['--no-sandbox', '--disable-gpu', ...flags] });
}

export async function new_page(browser, server, options = {}) {
  const context = await browser.newContext({ viewport: options.size ?? sizes.wide, colorScheme: options.scheme ?? 'light', hasTouch: options.touch ?? false });
  const page = await context.newPage();
  page.setDefaultTimeout(Number(process.env.REPATH_WAIT_MS ?? 40_000));
  return new Page(page, server.page);
}

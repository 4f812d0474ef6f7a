// What goes wrong around a page: a server that is gone, an address with faults, a browser that keeps nothing, another host name.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { new_page, start_browser } from './browser.mjs';
import { start_server } from './server.mjs';
import { make_hall } from './worlds.mjs';

const at = '?at=30,20,13';
const wall = [125, 106, 88];
let browser;
let server;

before(async () => {
  [browser, server] = [await start_browser(), await start_server('--admin-host', 'repath.test')];
  await make_hall(server);
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

async function map_is_drawn(view) {
  for (let tries = 0; tries < 50; ++tries) {
    await view.page.waitForTimeout(100);
    if (String(await view.colour(30.5, 20.5)) === String(wall)) return;
  }
  assert.fail('the wall is not seen');
}

test('the map is drawn though its script could not be loaded at first', async () => {
  const view = await new_page(browser, server);
  view.outage = true; // The browser logs the requests that fail.
  let refused = 0;
  await view.page.route('**/raster.js', (route) => (++refused <= 2 ? route.abort() : route.continue()));
  await view.open(`#/world/hall${at}`);
  await map_is_drawn(view);
  assert.equal(refused, 3);
  await view.done();
});

test('a world that was clicked while the server was gone has its map when the server is back', async () => {
  const other = await start_server('--data', join(server.folder, 'gone'));
  try {
    await make_hall(other);
    const view = await new_page(browser, other);
    await view.open();
    await view.page.locator('tr.link', { hasText: 'hall' }).waitFor();
    view.outage = true;
    await other.kill();
    await view.page.evaluate((hash) => (location.hash = hash), `#/world/hall${at}`);
    await view.see('No connection.');
    await other.start();
    await view.live();
    await map_is_drawn(view);
    await view.done();
    await other.stop();
  } catch (error) {
    await other.kill();
    throw error;
  }
});

test('an address with a fault leads to a page that says so', async () => {
  const view = await new_page(browser, server);
  view.outage = true; // The browser logs the answer 404.
  await view.page.goto(`${server.page}#/world/%`);
  await view.see('No world of this name');
  await view.done();
});

test('a browser that keeps nothing for pages shows them all the same', async () => {
  const view = await new_page(browser, server);
  await view.page.addInitScript(() => {
    for (const name of ['sessionStorage', 'localStorage']) {
      Object.defineProperty(window, name, { get: () => { throw new DOMException('denied', 'SecurityError'); } });
    }
  });
  await view.open(`#/world/hall${at}`);
  await map_is_drawn(view);
  await view.page.getByRole('button', { name: /Switch to/ }).click();
  await view.done();
});

test('a change can be made under a host name without TLS', async () => {
  const named = await start_browser('--host-resolver-rules=MAP repath.test 127.0.0.1');
  try {
    await make_hall(server, 'named');
    const view = await new_page(named, { page: server.page.replace('127.0.0.1', 'repath.test') });
    await view.open(`#/world/named${at}`);
    assert.equal(await view.page.evaluate(() => isSecureContext), false);
    await view.page.keyboard.press('b');
    await view.drag(8.5, 33.5, 12.5, 36.5);
    await view.see('No agent would be cut off.');
    await view.page.keyboard.press('Enter');
    await view.page.locator('.draft').waitFor({ state: 'detached' });
    assert.equal((await server.call('WorldService/ListObstacles', { world: 'named' })).obstacles.length, 6);
    await view.done();
  } finally {
    await named.close();
  }
});

test('a world made again under the same name has nothing of the old one', async () => {
  await make_hall(server, 'twice');
  const view = await new_page(browser, server);
  view.outage = true; // The browser logs the answer 404.
  await view.open(`#/world/twice${at}`);
  await view.page.keyboard.press('b');
  await view.drag(8.5, 33.5, 12.5, 36.5);
  await view.see('No agent would be cut off.');
  await view.page.keyboard.press('Enter');
  await view.see(/Undo: Block/);
  await view.tab('History');
  await view.see('1 obstacle placed');
  await server.call('WorldService/DeleteWorld', { world: 'twice' });
  await server.call('WorldService/CreateWorld', { name: 'twice', width: 60, height: 40 });
  await view.page.waitForFunction(() => /revision 1/.test(document.querySelector('.facts')?.textContent ?? ''));
  await view.see('No change has been made yet.');
  assert.equal(await view.page.getByText(/Undo: Block/).count(), 0);
  await view.page.keyboard.press('Control+z');
  await view.page.waitForTimeout(500);
  assert.equal((await server.call('WorldService/GetWorld', { world: 'twice' })).revision, '1');
  await view.done();
});

test('a server that stands still is not called live', async () => {
  const other = await start_server();
  try {
    await make_hall(other);
    const view = await new_page(browser, other);
    const list = await new_page(browser, other);
    await view.open(`#/world/hall${at}`);
    await list.open();
    await list.see('hall');
    other.child.kill('SIGSTOP');
    await view.page.locator('.pill.slow').waitFor({ timeout: 6000 });
    await list.see('The server has not answered for 4 s.');
    // A world that is opened just then says so too, and is not blank.
    await list.page.evaluate(() => (location.hash = '#/world/hall'));
    await list.page.locator('.pill.slow').waitFor({ timeout: 6000 });
    await list.see('The server has not answered for 4 s.');
    other.child.kill('SIGCONT');
    await view.live();
    await list.live();
    await list.see('Longest wait');
    await view.done();
    await list.done();
    await other.stop();
  } catch (error) {
    other.child.kill('SIGCONT');
    await other.kill();
    throw error;
  }
});

test('a server that comes back under the past: the same revision is shown again', async () => {
  const other = await start_server('--data', join(server.folder, 'past'));
  try {
    await make_hall(other);
    await other.call('WorldService/ApplyChanges', { world: 'hall', batch: { terrainEdits: [{ cells: { x0: 10, y0: 30, x1: 14, y1: 34 }, terrainClass: 'wall' }] } });
    const view = await new_page(browser, other);
    view.outage = true;
    await view.open(`#/world/hall${at}&tab=history`);
    await view.see('1 terrain edit');
    const now = await view.colour(12.5, 32.5);
    await view.press('A revision back');
    await view.page.waitForTimeout(900);
    const past = await view.colour(12.5, 32.5);
    const marked = await view.colour(30.5, 20.5);
    assert.notDeepEqual(past, now);
    await other.kill();
    await view.see('No connection.');
    await other.start();
    await view.live();
    await view.page.waitForTimeout(1200);
    assert.deepEqual(await view.colour(12.5, 32.5), past);
    assert.deepEqual(await view.colour(30.5, 20.5), marked);
    await view.press('Now');
    await view.page.waitForTimeout(900);
    assert.deepEqual([await view.colour(12.5, 32.5), await view.colour(30.5, 20.5)], [now, wall]);
    await view.done();
    await other.stop();
  } catch (error) {
    await other.kill();
    throw error;
  }
});

test('an address out of range shows what comes nearest', async () => {
  const view = await new_page(browser, server);
  await view.open('#/world/hall?at=1e30,20,1e9&layer=team+99');
  await view.see('Team');
  await view.page.waitForTimeout(500);
  assert.equal(await view.page.locator('.notice').count(), 0);
  await view.page.keyboard.press('ArrowLeft');
  await view.page.waitForTimeout(400);
  const [x, , scale] = new URL(view.page.url()).hash.match(/at=([^&]*)/)[1].split(',').map(Number);
  assert.ok(x <= 120 && scale <= 160, view.page.url());
  await view.done();
});

test('another search in the address is the one that is shown', async () => {
  const view = await new_page(browser, server);
  await view.open('#/world/hall?tab=search&search=10.5,20.5:50.5,20.5:3,0,0,0');
  await view.see('complete, optimal');
  const cost = () => view.page.locator('.compare tr', { hasText: 'Cost' }).innerText();
  const first = await cost();
  await view.page.evaluate(() => (location.hash = '#/world/hall?tab=search&search=10.5,20.5:12.5,20.5:2,0,0,0'));
  await view.page.locator('.compare th', { hasText: 'Dijkstra' }).waitFor();
  assert.notEqual(await cost(), first);
  await view.page.evaluate(() => (location.hash = '#/world/hall?tab=search'));
  await view.see('Choose start and goal on the map');
  await view.done();
});

test('arrows belong to tabs and sliders that have the focus', async () => {
  const view = await new_page(browser, server);
  await view.open(`#/world/hall${at}`);
  await view.page.getByRole('tab', { name: 'Overview' }).focus();
  await view.page.keyboard.press('ArrowRight');
  await view.page.waitForTimeout(400);
  assert.match(view.page.url(), /tab=inspect/);
  assert.match(view.page.url(), /at=30(\.00)?,20(\.00)?,13/);
  await view.done();
});

test('a draft is tried again when the world changes, and dropped when nothing of it is left', async () => {
  await make_hall(server, 'moot');
  const view = await new_page(browser, server);
  await view.open(`#/world/moot${at}`);
  await view.click(30.5, 9.5);
  await view.press('Shut');
  await view.see('No agent would be cut off.');
  await server.call('WorldService/ApplyChanges', { world: 'moot', batch: { switchObstacles: [{ id: '2', enabled: true }] } });
  await view.see('6 agents would be cut off.');
  await server.call('WorldService/ApplyChanges', { world: 'moot', batch: { switchObstacles: [{ id: '1', enabled: true }] } });
  await view.page.locator('.draft').waitFor({ state: 'detached' });
  await view.see('was dropped');
  await view.done();
});

test('a field says what it does not take, and Esc in it discards', async () => {
  const view = await new_page(browser, server);
  await view.open(`#/world/hall${at}`);
  await view.page.keyboard.press('b');
  await view.drag(8.5, 33.5, 12.5, 36.5);
  await view.page.getByLabel('Effect of the obstacle').selectOption('cost');
  await view.page.getByLabel('Cost factor').fill('0');
  await view.see('A number from 1 to 1000');
  await view.picture('refused-number');
  await view.page.getByLabel('Cost factor').press('Escape');
  await view.page.locator('.draft').waitFor({ state: 'detached' });
  await view.drag(8.5, 33.5, 12.5, 36.5);
  await view.see(/Block: 5 × 4/);
  await view.done();
});

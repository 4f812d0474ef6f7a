// Watching a search, two side by side, and the history of a world.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { new_page, sizes, start_browser } from './browser.mjs';
import { start_server } from './server.mjs';
import { make_hall } from './worlds.mjs';

const at = 'at=30,20,13';
let browser;
let server;

before(async () => {
  [browser, server] = [await start_browser(), await start_server()];
  await make_hall(server);
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

test('a search is chosen by two clicks and plays; steps go forth and back', async () => {
  const view = await new_page(browser, server);
  await view.open(`#/world/hall?${at}`);
  await view.page.keyboard.press('s');
  await view.click(10.5, 20.5);
  await view.click(50.5, 20.5);
  await view.see('complete, optimal');
  await view.page.waitForFunction(() => Number(document.querySelector('[aria-label="Step of the search"]').value) > 0);
  await view.press('To the end');
  const clock = () => view.page.locator('.player .clock').innerText();
  const [, last] = (await clock()).match(/of ([\d,]+)/);
  assert.equal(await clock(), `${last} of ${last}`);
  await view.page.keyboard.press(',');
  assert.notEqual(await clock(), `${last} of ${last}`);
  await view.picture('search');
  const { expanded } = (await server.call('PathService/FindPath', { world: 'hall', from: { cell: { x: 10, y: 20 } }, goals: [{ cell: { x: 50, y: 20 } }], options: { algorithm: 'ALGORITHM_ASTAR' } }));
  assert.equal(Number(last.replace(',', '')), Number(expanded));
  await view.done();
});

test('two searches side by side: the counts are compared', async () => {
  const view = await new_page(browser, server);
  await view.open('#/world/hall?tab=search&search=10.5,20.5:50.5,20.5:3,0,0,0');
  await view.see('complete, optimal');
  await view.page.getByLabel('Compare with a second search').check();
  await view.page.locator('.compare th', { hasText: 'Dijkstra' }).waitFor();
  assert.equal(await view.page.locator('.map canvas').count(), 2);
  await view.press('To the end');
  await view.page.waitForTimeout(400);
  const cells = await view.page.locator('.compare tr', { hasText: 'Nodes expanded' }).locator('td').allInnerTexts();
  assert.ok(Number(cells[1].replace(',', '')) < Number(cells[2].replace(',', '')), String(cells));
  await view.picture('search-two');
  await view.page.getByLabel('Compare with a second search').uncheck();
  await view.page.waitForTimeout(300);
  assert.equal(await view.page.locator('.map canvas').count(), 1);
  await view.done();
});

test('a search that cannot be asked for says why', async () => {
  const view = await new_page(browser, server);
  view.outage = true; // The browser logs the answer 400.
  await view.open('#/world/hall?tab=search&search=10.5,20.5:50.5,20.5:3,2,1,0');
  await view.page.locator('.bad-text').first().waitFor();
  await view.done();
});

test('history: the map shows the obstacles of an older revision, and returns', async () => {
  for (let i = 0; i < 4; ++i) {
    await server.call('WorldService/ApplyChanges', { world: 'hall', batch: { upsertObstacles: [{ id: '70', cells: { x0: 8 + i * 4, y0: 34, x1: 11 + i * 4, y1: 37 }, blocked: true }] } });
  }
  const view = await new_page(browser, server);
  await view.open(`#/world/hall?${at}&tab=history`);
  await view.see('5 obstacles placed');
  const here = await view.colour(21.5, 35.5);
  const gone = await view.colour(9.5, 35.5);
  assert.notDeepEqual(here, gone);
  const steps = view.page.locator('.rows.changes button');
  await steps.nth(3).click();
  await view.see('The map shows the world at revision 3.');
  await view.page.waitForTimeout(400);
  assert.deepEqual(await view.colour(21.5, 35.5), gone);
  await view.picture('history');
  await view.press('Fork here');
  await view.page.waitForURL(/hall-at-3/);
  await view.live();
  assert.equal((await server.call('WorldService/GetWorld', { world: 'hall-at-3' })).revision, '3');
  await view.open(`#/world/hall?${at}&tab=history`);
  await view.see('5 obstacles placed');
  await view.press('To the oldest revision');
  await view.press('Play');
  await view.press('Now');
  await view.page.waitForTimeout(400);
  assert.deepEqual(await view.colour(21.5, 35.5), here);
  await view.done();
});

test('history: terrain and the ground of meshes are as they were', async () => {
  const apply = (world, batch) => server.call('WorldService/ApplyChanges', { world, batch });
  await make_hall(server, 'quarry');
  await apply('quarry', { terrainEdits: [{ cells: { x0: 10, y0: 10, x1: 14, y1: 14 }, terrainClass: 'wall' }] });
  server.import_map('house', 'house.json');
  await apply('house', { upsertObstacles: [{ id: '9', box: { center: { x: 4, z: 4 }, halfX: 1, halfZ: 1 }, blocked: true }] });
  for (const [world, place, x, y] of [['quarry', at, 11.5, 11.5], ['house', 'at=8,6,40', 4, 4]]) {
    const view = await new_page(browser, server);
    await view.open(`#/world/${world}?${place}&tab=history`);
    await view.see('Changes');
    await view.page.waitForTimeout(500);
    const now = await view.colour(x, y);
    await view.press('To the oldest revision');
    await view.page.waitForTimeout(1200);
    assert.notDeepEqual(await view.colour(x, y), now, world);
    await view.picture(`past-${world}`);
    await view.press('Now');
    await view.page.waitForTimeout(1200);
    assert.deepEqual(await view.colour(x, y), now, world);
    await view.done();
  }
});

test('search and history in the dark and on a phone', async () => {
  for (const [look, options] of [['dark', { scheme: 'dark' }], ['phone', { size: sizes.phone }]]) {
    for (const tab of ['search&search=10.5,20.5:50.5,20.5:3,0,0,0', 'history', 'overview']) {
      const view = await new_page(browser, server, options);
      await view.open(`#/world/hall?tab=${tab}`);
      await view.page.waitForTimeout(1500);
      await view.picture(`${tab.split('&')[0]}-${look}`);
      await view.done();
    }
  }
});

test('history: what was removed is shown where it stood, and what cannot be known is said', async () => {
  const apply = (world, batch) => server.call('WorldService/ApplyChanges', { world, batch });
  const cells = (x0, y0, x1, y1) => ({ x0, y0, x1, y1 });
  for (const [world, historyRevisions] of [['kept', 1000], ['short', 8]]) {
    await server.call('WorldService/CreateWorld', { name: world, width: 20, height: 20, options: { historyRevisions } });
    await apply(world, { upsertObstacles: [{ id: '1', cells: cells(4, 4, 9, 9), blocked: true }] });
    for (let i = 0; i < 20; ++i) await apply(world, { upsertObstacles: [{ id: '9', cells: cells(15 + (i % 3), 15, 16 + (i % 3), 16), blocked: true }] });
    await apply(world, { removeObstacles: ['1'] });
    const view = await new_page(browser, server);
    view.outage = true; // The browser logs the answer that refuses.
    await view.open(`#/world/${world}?at=10,10,30&tab=history`);
    await view.see('1 obstacle removed');
    await view.press('A revision back');
    await view.see('The map shows the world at revision 22.');
    if (world === 'kept') {
      await view.page.waitForTimeout(600);
      assert.notDeepEqual(await view.colour(6.5, 6.5), await view.colour(12.5, 6.5));
      assert.equal(await view.page.getByText('can no longer tell').count(), 0);
      assert.ok(await view.page.getByRole('button', { name: 'Fork here' }).isEnabled());
    } else {
      await view.see('The server can no longer tell what stood at this revision: 1 obstacle');
      assert.ok(await view.page.getByRole('button', { name: 'Fork here' }).isDisabled());
    }
    await view.picture(`history-${world}`);
    await view.press('Now');
    assert.ok(await view.page.getByRole('button', { name: 'Fork now' }).isEnabled());
    await view.done();
  }
});

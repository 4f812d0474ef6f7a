// A copied address shows the same: past revision, layers, floor, an open verdict, a search with all that was chosen. The map describes
// the place under the pointer.
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
  await apply('hall', { switchObstacles: [{ id: '1', enabled: true }] });
  for (let i = 0; i < 4; ++i) await apply('hall', { upsertObstacles: [{ id: '70', cells: { x0: 8 + i * 4, y0: 34, x1: 11 + i * 4, y1: 37 }, blocked: true }] });
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

function apply(world, batch) {
  return server.call('WorldService/ApplyChanges', { world, batch });
}

// The address once it has followed the page.
async function address(view) {
  await view.page.waitForTimeout(450);
  return view.page.evaluate(() => location.hash);
}

// Opens the address of a page in another browser, whose page must then look alike.
async function same_elsewhere(view) {
  const hash = await address(view);
  const other = await new_page(browser, server);
  await other.open(hash);
  await other.page.waitForTimeout(900);
  assert.equal(await address(other), hash);
  return other;
}

test('a past revision stands in the address, and a fresh page shows it', async () => {
  const view = await new_page(browser, server);
  await view.open(`#/world/hall?${at}&tab=history`);
  await view.see('5 obstacles placed');
  const now = await view.colour(21.5, 35.5);
  await view.page.locator('.rows.changes button', { hasText: 'obstacle shut' }).click();
  await view.page.getByLabel('Revisions a second').fill('0.5');
  await view.see('6 agents stand where their latest verdict');
  const other = await same_elsewhere(view);
  assert.match(await address(other), /past=3/);
  assert.match(await address(other), /pace=0.5/);
  await other.see('The map shows the world at revision 3.');
  assert.notDeepEqual(await other.colour(21.5, 35.5), now);
  await other.picture('past-agents');
  // The agent is where the past has it, and is chosen there.
  await other.click(5.5, 3.5);
  await other.see('Agent 1');
  assert.ok(await other.page.getByRole('button', { name: 'Draw a box' }).isDisabled());
  await other.press('Revision 3. Back to now');
  assert.doesNotMatch(await address(other), /past/);
  assert.deepEqual(await other.colour(21.5, 35.5), now);
  await other.done();
  await view.done();
});

test('history plays as fast as one likes', async () => {
  await server.call('WorldService/CreateWorld', { name: 'long', width: 20, height: 20 });
  for (let i = 0; i < 60; ++i) await apply('long', { upsertObstacles: [{ id: '1', cells: { x0: i % 19, y0: 3, x1: (i % 19) + 1, y1: 4 }, blocked: true }] });
  const view = await new_page(browser, server);
  await view.open('#/world/long?tab=history&pace=1000');
  await view.see('1 obstacle placed');
  const clock = async () => Number(await view.page.locator('.player .clock').innerText());
  await view.press('Play');
  await view.page.waitForTimeout(900);
  assert.equal(await clock(), 61);
  await view.page.getByLabel('Revisions a second').fill('10');
  await view.press('Play');
  await view.page.waitForTimeout(1000);
  await view.press('Pause');
  assert.ok((await clock()) > 5 && (await clock()) < 40, String(await clock()));
  await view.done();
});

test('from the past of one world to that of another by its address', async () => {
  await server.call('WorldService/CreateWorld', { name: 'brief', width: 20, height: 20 });
  for (const x of [3, 4]) await apply('brief', { upsertObstacles: [{ id: '1', cells: { x0: x, y0: 3, x1: x + 1, y1: 4 }, blocked: true }] });
  const view = await new_page(browser, server);
  await view.open(`#/world/brief?tab=history&past=2`);
  await view.see('The map shows the world at revision 2.');
  await view.page.evaluate(() => (location.hash = '#/world/hall?tab=history&past=6'));
  await view.see('The map shows the world at revision 6.');
  assert.match(await address(view), /world\/hall\?.*past=6/);
  await view.page.goBack();
  await view.see('The map shows the world at revision 2.');
  await view.done();
});

test('the verdict of an agent that is open stands in the address', async () => {
  const view = await new_page(browser, server);
  await view.open(`#/world/hall?${at}&tab=inspect&select=agent+1`);
  await view.page.locator('.timeline .head', { hasText: 'REPLANNED' }).first().click();
  await view.see('because of revision');
  const other = await same_elsewhere(view);
  await other.see('because of revision');
  assert.match(await other.page.locator('.timeline .open').innerText(), /REPLANNED/);
  await other.page.locator('.timeline .open .head').click();
  assert.doesNotMatch(await address(other), /why/);
  await other.done();
  await view.done();
});

test('layers that are left out, and all verdicts', async () => {
  const view = await new_page(browser, server);
  await view.open(`#/world/hall?${at}`);
  await view.page.getByRole('checkbox', { name: 'Agents' }).uncheck();
  await view.page.getByLabel('Paths').uncheck();
  await view.page.getByLabel('caused by changes').uncheck();
  const other = await same_elsewhere(view);
  const box = (name) => other.page.getByRole('checkbox', { name });
  for (const name of ['Agents', 'Paths', 'caused by changes']) assert.equal(await box(name).isChecked(), false, name);
  await box('Agents').check();
  assert.match(await address(other), /hide=paths(&|$)/);
  await other.done();
  await view.done();
});

test('a search stands in the address with what was chosen, and with its step', async () => {
  const view = await new_page(browser, server);
  await view.open(`#/world/hall?${at}&tab=search&search=10.5,20.5:50.5,20.5:3,0,0,0`);
  await view.see('complete, optimal');
  await view.page.getByLabel('Neighbours').selectOption('4');
  await view.see('Steps belong to a profile');
  await view.press('Add profile default-4');
  await view.page.waitForFunction(() => document.querySelector('select option[value="default-4"]')?.selected);
  await view.page.getByLabel('Team').fill('2');
  await view.page.getByText('Goal and start').click();
  await view.page.getByLabel('Radius of the goal').fill('3');
  await view.page.getByLabel('Compare with a second search').check();
  await view.page.locator('.compare th', { hasText: 'Dijkstra' }).waitFor();
  await view.press('To the end');
  await view.press('A step back (,)');
  const other = await same_elsewhere(view);
  assert.match(await address(other), /search=10.5,20.5:50.5,20.5:q,r3:3,0,0,0,t2,pdefault-4:2,0,0,0,t2,pdefault-4&step=\d+/);
  const clock = (page) => page.locator('.player .clock').innerText();
  assert.equal(await clock(other.page), await clock(view.page));
  assert.equal(await other.page.getByLabel('Neighbours').first().inputValue(), '1');
  assert.equal(await other.page.getByLabel('Team').nth(1).inputValue(), '2');
  await other.picture('search-options');
  await other.done();
  await view.done();
});

test('a search with several goals leads to the one that is cheapest to reach', async () => {
  const view = await new_page(browser, server);
  await view.open(`#/world/hall?${at}&tab=search&search=10.5,20.5:50.5,20.5:3,0,0,0`);
  await view.see('complete, optimal');
  const cost = () => view.page.locator('.compare tr', { hasText: 'Cost' }).innerText();
  const far = await cost();
  await view.press('Add a goal');
  await view.click(20.5, 24.5);
  await view.see('Add to 2 goals');
  await view.page.waitForFunction((before) => document.querySelector('.compare tr:nth-child(2)')?.innerText !== before, far);
  await view.page.keyboard.down('Shift');
  await view.click(12.5, 20.5);
  await view.page.keyboard.up('Shift');
  await view.see('Add to 3 goals');
  await view.see('2.00');
  await view.press('To the end');
  const other = await same_elsewhere(view);
  assert.match(await address(other), /search=10.5,20.5:50.5,20.5;20.5,24.5;12.5,20.5:/);
  await other.see('2.00');
  await other.done();
  await view.done();
});

test('the ground of a mesh as a wide agent has it', async () => {
  server.import_map('wide', 'house.json');
  await apply('wide', { addProfiles: [{ name: 'cart', radius: 0.6 }], upsertObstacles: [{ id: '1', box: { center: { x: 5, z: 5 }, halfX: 1, halfZ: 1 }, blocked: true }] });
  const view = await new_page(browser, server);
  await view.open('#/world/wide?at=12,8,28');
  await view.page.waitForTimeout(500);
  const beside = await view.colour(6.3, 5);
  await view.page.getByLabel('Profile').selectOption('cart');
  await view.page.waitForTimeout(900);
  assert.notDeepEqual(await view.colour(6.3, 5), beside);
  assert.match(await address(view), /profile=cart/);
  await view.done();
  const faulty = await new_page(browser, server);
  faulty.outage = true; // The browser logs the answer that refuses.
  await faulty.open('#/world/wide?at=12,8,28&profile=boat');
  await faulty.see(/boat/);
  assert.deepEqual(await faulty.colour(6.3, 5), beside);
  await faulty.done();
});

test('where the map shows the past, the past is searched', async () => {
  const view = await new_page(browser, server);
  const cost = async () => (await view.page.locator('.compare tr', { hasText: 'At revision' }).innerText()).replace(/\D/g, '');
  await view.open(`#/world/hall?${at}&tab=search&past=2&search=10.5,20.5:50.5,20.5:3,0,0,0`);
  await view.see('The map shows revision 2, and that one is searched.');
  await view.see('complete, optimal');
  assert.equal(await cost(), '2');
  await view.press('Revision 2. Back to now');
  await view.page.waitForFunction(() => !/At revision\s*2$/m.test(document.querySelector('.compare')?.innerText ?? ''));
  assert.notEqual(await cost(), '2');
  await view.done();
});

test('the floor of a mesh stands in the address', async () => {
  server.import_map('house', 'house.json');
  const view = await new_page(browser, server);
  await view.open('#/world/house?at=12,8,28');
  await view.page.getByLabel('Floor').selectOption('1');
  await view.page.getByLabel('Portals').check();
  const other = await same_elsewhere(view);
  assert.equal(await other.page.getByLabel('Floor').inputValue(), '1');
  assert.ok(await other.page.getByLabel('Portals').isChecked());
  await other.page.mouse.move(...(await other.point(12.15, 4)));
  await other.see(/height 4.00 · floor 1/);
  await other.see(/ground \d+, area \d+ · cost × 1/);
  await other.picture('place-mesh');
  await other.done();
  await view.done();
});

test('a place of the map is read out under the pointer, at the middle by a key, and by a tap', async () => {
  const view = await new_page(browser, server);
  const said = async () => {
    await view.page.waitForTimeout(400);
    return (await view.page.locator('.readout.place').innerText()).replaceAll('\n', ' | ');
  };
  await view.open(`#/world/hall?${at}&layer=obstacles`);
  await view.page.mouse.move(...(await view.point(30.5, 9.5)));
  assert.equal(await said(), 'cell 30, 9 | ground · blocked | obstacle 1 blocks');
  await view.page.mouse.move(...(await view.point(30.5, 31.5)));
  assert.equal(await said(), 'cell 30, 31 | ground · cost × 1 | obstacle 2 is open');
  await view.page.mouse.move(...(await view.point(5.5, 3.5)));
  assert.match(await said(), /agent 1/);
  await view.picture('labels');
  await view.page.mouse.move(1200, 20);
  await view.page.locator('.readout.place').waitFor({ state: 'detached' });
  await view.page.keyboard.press('i');
  assert.match(await said(), /^cell 30, 20 \| ground · blocked \| obstacle 101 blocks/);
  await view.page.keyboard.press('Escape');
  await view.page.locator('.readout.place').waitFor({ state: 'detached' });
  await view.done();
  const phone = await new_page(browser, server, { size: sizes.phone, touch: true });
  await phone.open('#/world/hall?at=30,20,13&layer=components');
  await phone.page.touchscreen.tap(...(await phone.point(20.5, 20.5)));
  await phone.see('cell 20, 20');
  await phone.see(/component \d/);
  await phone.picture('place-phone');
  await phone.done();
});

test('while a search is played, a node says g, h, f, its parent and its place in the order', async () => {
  const view = await new_page(browser, server);
  await view.open(`#/world/hall?${at}&tab=search&search=10.5,20.5:50.5,20.5:3,0,0,0&step=300`);
  await view.see('complete, optimal');
  await view.page.mouse.move(...(await view.point(20.5, 20.5)));
  await view.see('g 10.00 h 30.00 f 40.00');
  await view.see('expanded 11th · from 19, 20');
  await view.page.mouse.move(...(await view.point(50.5, 5.5)));
  await view.page.getByText('expanded 11th').waitFor({ state: 'detached' });
  await view.open('#/world/hall?at=30,20,7&tab=search&search=10.5,20.5:50.5,20.5:3,0,0,0:2,0,0,0&step=700');
  await view.page.locator('.compare th', { hasText: 'Dijkstra' }).waitFor();
  await view.page.mouse.move(...(await view.point(20.5, 20.5)));
  await view.see(/^right/);
  await view.picture('search-place');
  await view.done();
});

test('a node of a graph is named by its id, and so is the node before it', async () => {
  server.import_map('streets', 'streets.json');
  const { nodes } = await server.call('WorldService/GetGraph', { world: 'streets' });
  const [from, near] = [nodes[0].position, nodes[1].position];
  const view = await new_page(browser, server);
  await view.open(`#/world/streets?at=${near.x ?? 0},${near.z ?? 0},5&tab=search&search=${from.x ?? 0},${from.z ?? 0}:300,300:2,0,0,0&step=60`);
  await view.see('complete, optimal');
  await view.page.mouse.move(...(await view.point(near.x ?? 0, near.z ?? 0)));
  await view.see(`node ${nodes[1].id}`);
  await view.see(/from node \d+/);
  await view.done();
});

test('clearance and components of hexagons', async () => {
  await server.call('WorldService/CreateWorld', { name: 'hex', width: 24, height: 16, profiles: [{ name: 'default', topology: 'TOPOLOGY_HEX' }] });
  await apply('hex', { upsertObstacles: [{ id: '1', cells: { x0: 8, y0: 2, x1: 9, y1: 12 }, blocked: true }] });
  const view = await new_page(browser, server);
  await view.open('#/world/hex?at=12,7,36&layer=clearance+2');
  await view.page.waitForTimeout(400);
  await view.page.mouse.move(...(await view.point(11.5, 7)));
  await view.see(/clearance \d\.\d\d cells/);
  await view.picture('clearance-hex');
  await view.done();
});

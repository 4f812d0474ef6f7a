// Hands on: strokes are tried first, then made; doors; agents and goals; undo. And why an agent turned.
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { new_page, sizes, start_browser } from './browser.mjs';
import { start_server } from './server.mjs';
import { make_hall } from './worlds.mjs';

const at = '?at=30,20,13';
let browser;
let server;
let count = 0;
let name;

before(async () => {
  [browser, server] = [await start_browser(), await start_server()];
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

beforeEach(async () => {
  name = `hall-${++count}`;
  await make_hall(server, name);
});

async function revision() {
  return Number((await server.call('WorldService/GetWorld', { world: name })).revision);
}

async function obstacles() {
  return (await server.call('WorldService/ListObstacles', { world: name })).obstacles;
}

async function open(options) {
  const view = await new_page(browser, server, options);
  await view.open(`#/world/${name}${at}`);
  await view.page.waitForFunction(() => /agents 6/.test(document.querySelector('.facts')?.textContent ?? ''));
  return view;
}

test('a box is a dry run first: who is cut off is said before anything changes', async () => {
  const view = await open();
  await server.call('WorldService/ApplyChanges', { world: name, batch: { switchObstacles: [{ id: '1', enabled: true }] } });
  await view.page.keyboard.press('b');
  await view.drag(29.5, 30.5, 31.5, 33.5);
  await view.see('6 agents would be cut off.');
  await view.picture('dry-run');
  assert.equal(await revision(), 3);
  await view.page.keyboard.press('Escape');
  await view.page.locator('.draft').waitFor({ state: 'detached' });
  assert.equal(await revision(), 3);
  await view.done();
});

test('each tool makes its shape, and undo takes it back', async () => {
  const view = await open();
  const made = async (key, stroke, shape) => {
    await view.page.keyboard.press(key);
    await stroke();
    await view.see('No agent would be cut off.');
    await view.page.keyboard.press('Enter');
    await view.page.locator('.draft').waitFor({ state: 'detached' });
    assert.ok((await obstacles()).at(-1)[shape], shape);
  };
  await made('b', () => view.drag(8.5, 33.5, 12.5, 36.5), 'cells');
  await made('c', () => view.drag(20.5, 36.5, 22.5, 36.5), 'cylinder');
  await made('w', () => view.drag(40.5, 35.5, 50.5, 38.5), 'capsule');
  await made('p', async () => {
    for (const [x, y] of [[20, 1], [26, 1], [23, 4]]) await view.click(x, y);
    await view.page.keyboard.press('Enter');
  }, 'polygon');
  assert.equal((await obstacles()).length, 9);
  await view.picture('shapes');
  for (let left = 8; left >= 5; --left) {
    await view.page.keyboard.press('Control+z');
    await view.page.waitForTimeout(300);
    assert.equal((await obstacles()).length, left);
  }
  await view.done();
});

test('an obstacle is moved by dragging it', async () => {
  await server.call('WorldService/ApplyChanges', { world: name, batch: { upsertObstacles: [{ id: '60', cells: { x0: 10, y0: 34, x1: 13, y1: 37 }, blocked: true }] } });
  const view = await open();
  await view.click(11.5, 35.5);
  await view.see('Obstacle 60');
  await view.drag(11.5, 35.5, 15.5, 36.5);
  await view.see('Move obstacle 60');
  await view.page.getByRole('button', { name: /Apply/ }).click();
  await view.page.locator('.draft').waitFor({ state: 'detached' });
  assert.deepEqual((await obstacles()).find(({ id }) => id === '60').cells, { x0: 14, y0: 35, x1: 17, y1: 38 });
  await view.done();
});

test('a first visit: shut a door, see INVALIDATED and REPLANNED, and find out why an agent turned', async () => {
  const view = await open();
  await view.click(30.5, 9.5);
  await view.see('Obstacle 1');
  await view.press('Shut');
  await view.see('No agent would be cut off.');
  await view.page.keyboard.press('Enter');
  await view.page.locator('.draft').waitFor({ state: 'detached' });
  await view.see('Undo: Shut obstacle 1');
  assert.equal(await view.page.getByText('was dropped').count(), 0);
  await view.tab('Overview');
  await view.see('INVALIDATED');
  const turned = view.page.locator('.verdicts button', { hasText: 'REPLANNED' }).first();
  await turned.click();
  await view.see('The latest verdict is of revision 3, which is the current one.');
  const first = view.page.locator('.timeline .head').first();
  await first.click();
  await view.see('because of revision');
  await view.picture('why');
  const cause = view.page.locator('.details .ids button').first();
  assert.equal(await cause.innerText(), '1');
  await cause.click();
  await view.page.waitForTimeout(300);
  await view.picture('why-obstacle');
  await view.done();
});

test('a change that is seen before its answer comes is not said to be dropped', async () => {
  const view = await open();
  await view.page.route('**/WorldService/ApplyChanges', async (route) => {
    const response = await route.fetch();
    await new Promise((done) => setTimeout(done, 1500));
    await route.fulfill({ response });
  });
  await view.click(30.5, 9.5);
  await view.press('Shut');
  await view.see('No agent would be cut off.');
  await view.page.keyboard.press('Enter');
  await view.see('Undo: Shut obstacle 1');
  assert.equal(await view.page.getByText('was dropped').count(), 0);
  await view.done();
});

test('an agent is placed with its goal, and sent elsewhere', async () => {
  const view = await open();
  await view.page.keyboard.press('a');
  await view.drag(10.5, 20.5, 50.5, 20.5);
  const id = await view.selected_agent();
  await view.page.keyboard.press('g');
  await view.click(50.5, 30.5);
  await view.page.waitForTimeout(500);
  const { agents } = await server.call('AgentService/ListAgents', { world: name, agentIds: [id] });
  assert.deepEqual(agents[0].agent.goals, [{ position: { x: 50.5, z: 30.5 } }]);
  await view.picture('placed');
  await view.page.keyboard.press('Control+z');
  await view.page.waitForTimeout(300);
  await view.page.keyboard.press('Control+z');
  await view.page.waitForTimeout(500);
  assert.equal((await server.call('AgentService/ListAgents', { world: name })).agents.length, 6);
  await view.done();
});

test('the same in the dark and on a phone', async () => {
  for (const [look, options] of [['dark', { scheme: 'dark' }], ['phone', { size: sizes.phone }]]) {
    const view = await open(options);
    await view.page.locator('.layers').waitFor();
    await view.tab('Inspect');
    await view.page.locator('.rows button').first().click();
    await view.see('Agent 1');
    await view.picture(`agent-${look}`);
    const overflow = await view.page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
    assert.equal(overflow, false);
    await view.done();
  }
});

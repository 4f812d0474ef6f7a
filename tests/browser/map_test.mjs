// The map: what it shows, how it moves, and all kinds of worlds.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { new_page, sizes, start_browser } from './browser.mjs';
import { start_server } from './server.mjs';
import { make_field, make_hall } from './worlds.mjs';

const wall = [125, 106, 88];
const free = [251, 252, 253];
const at = '?at=30,20,14';

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

test('walls, doors and ground are where the server has them, and changes appear', async () => {
  const view = await new_page(browser, server);
  await view.open(`#/world/hall${at}`);
  await view.page.getByLabel('Paths').uncheck();
  await view.page.waitForTimeout(300);
  assert.deepEqual(await view.colour(30.5, 20.5), wall);
  assert.deepEqual(await view.colour(20.5, 20.5), free);
  await server.call('WorldService/ApplyChanges', { world: 'hall', batch: { upsertObstacles: [{ id: '50', cells: { x0: 19, y0: 19, x1: 22, y1: 22 }, blocked: true }] } });
  await view.page.waitForTimeout(500);
  assert.deepEqual(await view.colour(20.5, 20.5), wall);
  await server.call('WorldService/ApplyChanges', { world: 'hall', batch: { removeObstacles: ['50'] } });
  await view.page.waitForTimeout(500);
  assert.deepEqual(await view.colour(20.5, 20.5), free);
  await server.call('WorldService/ApplyChanges', { world: 'hall', batch: { terrainEdits: [{ cells: { x0: 10, y0: 10, x1: 12, y1: 12 }, terrainClass: 'wall' }] } });
  await view.page.waitForTimeout(700);
  assert.notDeepEqual(await view.colour(11.5, 10.5), free);
  await view.done();
});

test('drag pans, the wheel zooms about the pointer, keys do both, and the address keeps the view', async () => {
  const view = await new_page(browser, server);
  await view.open(`#/world/hall${at}`);
  const numbers = async () => {
    await view.page.waitForTimeout(350);
    return new URL(view.page.url()).hash.match(/at=([^&]*)/)[1].split(',').map(Number);
  };
  await view.drag(20, 10, 25, 12);
  const dragged = await numbers();
  assert.ok(Math.abs(dragged[0] - 25) < 0.2 && Math.abs(dragged[1] - 18) < 0.2, String(dragged));
  const point = await view.point(20, 10);
  await view.page.mouse.move(...point);
  await view.page.mouse.wheel(0, -200);
  const zoomed = await numbers();
  assert.ok(zoomed[2] > 14.5);
  const [x, y] = await view.point(20, 10);
  assert.ok(Math.hypot(x - point[0], y - point[1]) < 2);
  await view.page.locator('.map canvas').focus();
  await view.page.keyboard.press('ArrowRight');
  assert.ok((await numbers())[0] > zoomed[0]);
  await view.page.reload();
  await view.live();
  assert.ok((await numbers())[2] > 14.5);
  await view.page.keyboard.press('0');
  assert.ok((await numbers())[2] < 20);
  await view.done();
});

test('an agent is found by its id, followed, and its path is drawn', async () => {
  const view = await new_page(browser, server);
  await view.open('#/world/hall');
  await view.tab('Inspect');
  await view.page.getByLabel(/Id of an agent/).fill('3');
  await view.press('Find');
  await view.see('Agent 3');
  await view.see('Cost to the goal');
  await view.page.getByRole('button', { name: /Follow/ }).click();
  await server.call('AgentService/ReportPositions', { world: 'hall', positions: [{ id: '3', position: { cell: { x: 7, y: 12 } } }] });
  await view.page.waitForFunction(() => Math.abs(Number(new URLSearchParams(location.hash.split('?')[1]).get('at')?.split(',')[0]) - 7.5) < 0.6);
  await view.picture('follow');
  await view.done();
});

test('layers: costs, obstacles by id, components', async () => {
  const view = await new_page(browser, server);
  await view.open(`#/world/hall${at}`);
  for (const layer of ['costs', 'obstacles', 'components']) {
    await view.page.getByLabel('Ground layer').selectOption(layer);
    await view.page.waitForTimeout(400);
    await view.picture(`layer-${layer}`);
    assert.match(view.page.url(), new RegExp(`layer=${layer}`));
  }
  await view.done();
});

test('clearance: a wide walker has no room beside a wall, a point has', async () => {
  const view = await new_page(browser, server);
  await view.open(`#/world/hall${at}`);
  await view.page.getByLabel('Paths').uncheck();
  await view.page.getByLabel('Ground layer').selectOption('clearance');
  await view.page.waitForTimeout(400);
  const beside = await view.colour(28.5, 20.5);
  await view.picture('layer-clearance');
  await view.page.getByLabel('Radius').fill('3');
  await view.page.waitForTimeout(600);
  assert.match(view.page.url(), /layer=clearance\+3/);
  assert.notDeepEqual(await view.colour(28.5, 20.5), beside);
  await view.done();
});

test('influence and fog of a team are laid over the map, and follow a change', async () => {
  const view = await new_page(browser, server);
  await view.open(`#/world/hall${at}&layer=team+3`);
  const edit = (batch) => server.call('WorldService/ApplyChanges', { world: 'hall', batch });
  await edit({ influenceEdits: [{ cells: { x0: 15, y0: 33, x1: 20, y1: 36 }, team: 3, layer: 1, set: 640 }] });
  await edit({ fogEdits: [{ cells: { x0: 40, y0: 33, x1: 45, y1: 36 }, team: 3, hidden: true }] });
  await view.page.waitForTimeout(800);
  const [dear, hidden, plain] = [await view.colour(17.5, 34.5), await view.colour(42.5, 34.5), await view.colour(17.5, 38.5)];
  assert.deepEqual(plain, free);
  assert.notDeepEqual(dear, free);
  assert.ok(hidden[0] < 180, String(hidden));
  await view.picture('layer-team');
  await edit({ decayInfluence: [{ team: 3, layer: 1, keepPermille: 0 }], fogEdits: [{ cells: { x0: 40, y0: 33, x1: 45, y1: 36 }, team: 3 }] });
  await view.page.waitForTimeout(800);
  assert.deepEqual([await view.colour(17.5, 34.5), await view.colour(42.5, 34.5)], [free, free]);
  await view.done();
});

// The share of the map's pixels around a place that differ from one colour.
async function tinted(view, x, y, plain) {
  let count = 0;
  for (const dx of [-0.3, -0.1, 0.1, 0.3]) if (String(await view.colour(x + dx, y)) !== String(plain)) ++count;
  return count / 4;
}

test('towers: where one may stand is shown, follows a door that shuts, and a click draws one', async () => {
  await make_hall(server, 'defence');
  for (const [look, options] of [['light', {}], ['dark', { scheme: 'dark' }], ['phone', { size: sizes.phone }]]) {
    const view = await new_page(browser, server, options);
    await view.open(`#/world/defence?at=${look === 'phone' ? '14,12,14' : '18,12,24'}`);
    await view.page.getByLabel('Paths').uncheck();
    await view.page.getByRole('checkbox', { name: 'Towers' }).check();
    await view.see('A tower may stand');
    await view.page.waitForTimeout(400);
    await view.picture(`towers-${look}`);
    await view.done();
  }
  const view = await new_page(browser, server);
  await view.open('#/world/defence?at=34,10,28');
  await view.page.getByLabel('Paths').uncheck();
  await view.page.waitForTimeout(300);
  const plain = await view.colour(30.5, 8.5);
  await view.page.getByRole('checkbox', { name: 'Towers' }).check();
  await view.see('A tower may stand');
  await view.page.waitForTimeout(700);
  const allowed = await view.colour(36.5, 15.5);
  assert.notDeepEqual(allowed, free);
  assert.deepEqual(await view.colour(30.5, 4.5), wall);
  // A tower that fills one of two open doors cuts no agent off; one in the last does.
  await view.page.getByLabel('Rows of the tower').fill('3');
  await view.page.waitForTimeout(900);
  assert.equal(await view.page.getByText('Cuts an agent off').count(), 0);
  await server.call('WorldService/ApplyChanges', { world: 'defence', batch: { switchObstacles: [{ id: '2', enabled: true }] } });
  await view.see('Cuts an agent off');
  await view.page.waitForTimeout(700);
  assert.equal(await tinted(view, 30.5, 8.5, plain), 1);
  assert.notDeepEqual(await view.colour(30.5, 8.5), allowed);
  await view.picture('towers-last-door');
  await view.page.getByLabel('Columns of the tower').fill('3');
  await view.page.getByLabel('Rows of the tower').fill('1');
  await view.page.keyboard.press('Escape');
  await view.page.locator('.map canvas').focus();
  await view.page.keyboard.press('b');
  await view.click(36.5, 15.5);
  await view.see('3 × 1 cells');
  await view.page.getByRole('checkbox', { name: 'Towers' }).uncheck();
  await view.page.getByText('A tower may stand').waitFor({ state: 'detached' });
  await view.done();
});

test('towers: the profile and the team whose ground counts are chosen, and stand in the address', async () => {
  await make_field(server);
  const view = await new_page(browser, server);
  await view.open('#/world/field?at=15,10,24');
  await view.page.getByRole('checkbox', { name: 'Towers' }).check();
  // Anchors of towers of 2 x 2 cells: 29 x 19 fit the map; a marsh or a fence of six columns takes seven from each row.
  const places = (free) => view.see(`A tower may stand ${free}`);
  await places(551);
  await view.page.getByLabel('Profile').selectOption('cart');
  await places(418);
  await view.page.getByLabel('for team').fill('1');
  await places(285);
  await view.page.waitForTimeout(500);
  await view.picture('towers-for-carts');
  assert.match(await view.page.evaluate(() => location.hash), /[?&]towers=2x2:1:cart(&|$)/);
  await view.page.getByLabel('Profile').selectOption('default');
  await places(418);
  // A copied address shows the same, and the box is checked.
  for (const [address, free] of [['2x2:1:cart', 285], ['1x1:0:cart', 480], ['1x1', 600]]) {
    await view.open(`#/world/field?at=15,10,24&towers=${address}`);
    await places(free);
    assert.ok(await view.page.getByRole('checkbox', { name: 'Towers' }).isChecked());
  }
  // The server refuses a profile that the world does not have.
  view.outage = true; // the browser reports the refused call
  await view.open('#/world/field?at=15,10,24&towers=2x2:0:boat');
  assert.match(await view.page.locator('.legend .bad-text').innerText(), /boat/);
  await view.page.getByRole('checkbox', { name: 'Towers' }).uncheck();
  await view.page.locator('.legend').waitFor({ state: 'detached' });
  await view.page.waitForTimeout(400);
  assert.doesNotMatch(await view.page.evaluate(() => location.hash), /towers/);
  await view.done();
  const small = await new_page(browser, server, { size: sizes.phone, scheme: 'dark' });
  await small.open('#/world/field?at=15,10,12&towers=2x2:1:cart');
  await small.see('A tower may stand 285');
  await small.page.waitForTimeout(500);
  await small.picture('towers-for-carts-phone');
  await small.done();
});

test('portals: the edges that two cells of a mesh share', async () => {
  server.import_map('storeys', 'house.json');
  for (const [look, options] of [['light', {}], ['dark', { scheme: 'dark' }]]) {
    const view = await new_page(browser, server, options);
    await view.open('#/world/storeys');
    await view.page.waitForTimeout(400);
    const shot = () => view.page.locator('.map').screenshot();
    const before = await shot();
    await view.page.getByLabel('Portals').check();
    await view.page.waitForTimeout(400);
    assert.notDeepEqual(await shot(), before);
    await view.picture(`portals-${look}`);
    await server.call('WorldService/ApplyChanges', { world: 'storeys', batch: { upsertObstacles: [{ id: '1', box: { center: { x: 11, z: 2 }, halfX: 1, halfZ: 1 }, blocked: true }] } });
    await view.page.waitForTimeout(900);
    await view.picture(`portals-cut-${look}`);
    await server.call('WorldService/ApplyChanges', { world: 'storeys', batch: { removeObstacles: ['1'] } });
    await view.page.getByLabel('Portals').uncheck();
    await view.page.waitForTimeout(900);
    await view.done();
  }
});

test('hexagons, meshes and graphs are drawn, in light, dark and on a phone', async () => {
  for (const map of ['house.json', 'streets.json', 'hall.obj']) server.import_map(`${map.split('.')[0]}-map`, map);
  await server.call('WorldService/CreateWorld', { name: 'hex', width: 24, height: 16, profiles: [{ name: 'default', topology: 'TOPOLOGY_HEX' }] });
  await server.call('WorldService/ApplyChanges', { world: 'hex', batch: { upsertObstacles: [{ id: '1', cells: { x0: 8, y0: 2, x1: 9, y1: 12 }, blocked: true }] } });
  await server.call('AgentService/UpsertAgents', { world: 'hex', agents: [{ id: '1', position: { cell: { x: 2, y: 6 } }, goals: [{ cell: { x: 20, y: 7 } }] }] });
  for (const name of ['hex', 'house-map', 'streets-map', 'hall-map']) {
    for (const [look, options] of [['light', {}], ['dark', { scheme: 'dark' }], ['phone', { size: sizes.phone }]]) {
      const view = await new_page(browser, server, options);
      await view.open(`#/world/${name}`);
      await view.page.waitForTimeout(500);
      await view.picture(`${name}-${look}`);
      await view.done();
    }
  }
});

test('on an upper floor: an agent is placed there, walks over a link, and is not shown on the other floor', async () => {
  server.import_map('upstairs', 'house.json');
  const view = await new_page(browser, server);
  await view.open('#/world/upstairs?at=12,8,28');
  await view.page.getByLabel('Floor').selectOption('1');
  await view.page.keyboard.press('a');
  // Only the upper floor has ground where the lower one has a wall.
  await view.drag(12.15, 4, 4, 14);
  const id = await view.selected_agent();
  const agent = async () => (await server.call('AgentService/ListAgents', { world: 'upstairs', agentIds: [id] })).agents[0].agent;
  assert.deepEqual([(await agent()).position.position.y, (await agent()).goals[0].position.y], [4, 4]);
  await view.page.waitForTimeout(500);
  const shown = await view.colour(12.15, 4);
  await view.page.getByLabel('Floor').selectOption('0');
  await view.page.waitForTimeout(500);
  assert.notDeepEqual(await view.colour(12.15, 4), shown);
  await server.call('AgentService/UpsertAgents', { world: 'upstairs', agents: [{ id, position: { position: { x: 22, y: 0, z: 15.5 } }, goals: [{ position: { x: 22, y: 4, z: 9 } }] }] });
  await view.page.getByLabel('Walk').check();
  for (let tries = 0; (await agent()).position.position.y !== 4; ++tries) {
    assert.ok(tries < 60, 'it does not arrive upstairs');
    await view.page.waitForTimeout(100);
  }
  await view.done();
});

// The list of worlds, the demonstration, and what the page says without a connection or a token.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { execFileSync } from 'node:child_process';
import { after, before, test } from 'node:test';
import { new_page, sizes, start_browser } from './browser.mjs';
import { binaries, start_server } from './server.mjs';
import { make_hall } from './worlds.mjs';

let browser;
let server;

before(async () => {
  [browser, server] = [await start_browser(), await start_server()];
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

test('an empty server says the next command, and one button makes a world that lives', async () => {
  const view = await new_page(browser, server);
  await view.open();
  await view.see('This server has no worlds yet');
  await view.see('repath world create arena');
  await view.picture('worlds-empty');
  await view.press('Make a demonstration world');
  await view.live();
  await view.page.waitForFunction(() => /agents 48/.test(document.querySelector('.facts')?.textContent ?? ''));
  // The agents walk: after two seconds the server has them elsewhere.
  const places = async () => JSON.stringify((await server.call('AgentService/ListAgents', { world: 'demo' })).agents.map((a) => a.agent.position));
  const first = await places();
  await view.page.waitForTimeout(2000);
  assert.notEqual(await places(), first);
  await view.picture('demonstration');
  await view.done();
});

test('the list shows each world with its figures, and leads to its page', async () => {
  await make_hall(server);
  const view = await new_page(browser, server);
  await view.open();
  const row = view.page.locator('tr.link', { hasText: 'hall' });
  await row.waitFor();
  const text = (await row.innerText()).replace(/\s+/g, ' ');
  assert.match(text, /^hall grid 60 × 40 2 6 /);
  await view.picture('worlds');
  await row.click();
  await view.live();
  assert.match(view.page.url(), /#\/world\/hall/);
  await view.done();
});

test('of many worlds one is found by a part of its name, which stands in the address', async () => {
  const other = await start_server();
  try {
    const name = (i) => (i === 77 ? 'a-name-of-sixty-four-letters-is-as-long-as-a-name-may-become-here'.slice(0, 64) : `plain-${i}`);
    for (let i = 0; i < 220; ++i) await other.call('WorldService/CreateWorld', { name: name(i), width: 8, height: 8 });
    const view = await new_page(browser, other, { size: sizes.phone });
    await view.open();
    await view.see('And 20 more');
    assert.equal(await view.page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false);
    await view.page.getByLabel(/Find a world/).fill('SIXTY');
    await view.page.waitForFunction(() => document.querySelectorAll('tr.link').length === 1);
    await view.page.waitForTimeout(400);
    const hash = await view.page.evaluate(() => location.hash);
    await view.open(hash);
    await view.page.locator('tr.link').first().waitFor();
    assert.equal(await view.page.locator('tr.link').count(), 1);
    await view.picture('worlds-many');
    await view.page.getByLabel(/Find a world/).fill('nothing');
    await view.see('No world has');
    await view.done();
    await other.stop();
  } catch (error) {
    await other.kill();
    throw error;
  }
});

test('dark, and on a phone', async () => {
  for (const [name, options] of [
    ['worlds-dark', { scheme: 'dark' }],
    ['worlds-phone', { size: sizes.phone }],
  ]) {
    const view = await new_page(browser, server, options);
    await view.open();
    await view.page.locator('tr.link').first().waitFor();
    const overflow = await view.page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
    assert.equal(overflow, false, name);
    await view.picture(name);
    await view.done();
  }
});

test('a world that is left before its streams are open leaves no warning', async () => {
  const view = await new_page(browser, server);
  await view.open();
  for (let i = 0; i < 12; ++i) {
    await view.page.evaluate(() => (location.hash = '#/world/hall'));
    await view.page.waitForTimeout(20 + 15 * i);
    await view.page.evaluate(() => (location.hash = '#/'));
    await view.page.waitForTimeout(60);
  }
  await view.page.locator('tr.link').first().waitFor();
  await view.done();
});

test('a world that is not there is said to be missing, and appears when it is made', async () => {
  const view = await new_page(browser, server);
  view.outage = true; // The browser logs the answer 404.
  await view.page.goto(`${server.page}#/world/later`);
  await view.see('No world of this name');
  await make_hall(server, 'later');
  await view.live();
  await view.done();
});

test('a server that is killed under an open page: it says so, and comes back by itself at the same view', async () => {
  const other = await start_server('--data', join(server.folder, 'data'));
  try {
    await make_hall(other);
    const view = await new_page(browser, other);
    await view.open('#/world/hall?at=20,20,12');
    const before_kill = await view.colour(30.5, 20.5);
    view.outage = true;
    await other.kill();
    await view.see('No connection.');
    await view.picture('no-connection');
    assert.deepEqual(await view.colour(30.5, 20.5), before_kill);
    await other.start();
    await view.live();
    assert.match(view.page.url(), /at=20/);
    await view.see('incarnation');
    await view.done();
    await other.stop();
  } catch (error) {
    await other.kill();
    throw error;
  }
});

test('a server with tokens: the page asks for one, and works with it', async () => {
  const tokens = join(server.folder, 'tokens');
  const asked = ['token', 'create', tokens, '--json', '--scopes', 'read,write,agents,admin', '--worlds', '*'];
  const made = JSON.parse(execFileSync(join(binaries, 'repath'), asked, { encoding: 'utf8' }));
  const guarded = await start_server('--tokens', tokens);
  try {
    guarded.token = made.token;
    await make_hall(guarded);
    const view = await new_page(browser, guarded);
    view.outage = true; // The browser logs the answer 401.
    await view.open();
    await view.see('This server wants a token.');
    await view.picture('token');
    await view.page.getByLabel('Token', { exact: true }).fill(made.token);
    await view.press('Use token');
    await view.page.locator('tr.link', { hasText: 'hall' }).click();
    await view.live();
    await view.done();
    await guarded.stop();
  } catch (error) {
    await guarded.kill();
    throw error;
  }
});

test('a token that may only read: what it may not do is not offered, and why', async () => {
  const tokens = join(server.folder, 'read-tokens');
  const make = (id, scopes, worlds) =>
    JSON.parse(execFileSync(join(binaries, 'repath'), ['token', 'create', tokens, '--json', '--id', id, '--scopes', scopes, '--worlds', worlds], { encoding: 'utf8' })).token;
  const [all, reader] = [make('all', 'read,write,agents,admin', '*'), make('reader', 'read', 'hall')];
  const guarded = await start_server('--tokens', tokens);
  try {
    guarded.token = all;
    await make_hall(guarded);
    await make_hall(guarded, 'secret');
    const view = await new_page(browser, guarded);
    view.outage = true; // The browser logs the answers that refuse.
    await view.page.addInitScript((token) => location.protocol === 'http:' && sessionStorage.setItem('repath-token', token), reader);
    await view.open('#/world/hall?at=30,20,13');
    await view.see('read only');
    assert.ok(await view.page.getByRole('button', { name: 'Place an agent' }).isDisabled());
    assert.ok(await view.page.getByLabel('Walk').isDisabled());
    await view.page.keyboard.press('b');
    await view.drag(8.5, 33.5, 12.5, 36.5);
    await view.see('may try changes but not make them');
    assert.ok(await view.page.getByRole('button', { name: /Apply/ }).isDisabled());
    await view.picture('read-only');
    await view.page.goto(`${guarded.page}#/world/secret`);
    await view.see('This world may not be read');
    await view.picture('denied');
    await view.done();
    await guarded.stop();
  } catch (error) {
    await guarded.kill();
    throw error;
  }
});

// Tests of a tower as the address has it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { empty, parse, print } from '../src/state/address';
import { parseTower, printTower, type Tower } from '../src/state/tower';

test('a tower in the address is read as it was written', () => {
  const towers: [Tower, string][] = [
    [{ width: 2, height: 3, team: 0, profile: 'default' }, '2x3'],
    [{ width: 1, height: 64, team: 31, profile: 'default' }, '1x64:31:default'],
    [{ width: 2, height: 2, team: 0, profile: 'heavy.wagon-2' }, '2x2:0:heavy.wagon-2'],
  ];
  for (const [tower, text] of towers) {
    assert.equal(printTower(tower), text);
    assert.deepEqual(parseTower(text), tower);
    const address = print({ ...empty, world: 'lake', towers: text });
    assert.equal(address, `#/world/lake?towers=${text}`);
    assert.equal(parse(address).towers, text);
  }
});

test('what the server would refuse is no tower', () => {
  for (const text of ['', '2', '0x2', '2x65', '2x2:32:default', '2x2:1', '2x2:1:', '2x2:1:a b', '2x2:-1:default', ' 2x2']) {
    assert.equal(parseTower(text), undefined, text);
  }
});

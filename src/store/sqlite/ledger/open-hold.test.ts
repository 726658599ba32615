import { afterEach, beforeEach, expect, test } from 'bun:test';
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import {
  heldBy,
  sampleOrder,
  samplePeriod,
  samplePosting,
  shortageOf,
} from '../../testing/conformance/sample-ledger.ts';
import { openSqliteStore } from '../open-sqlite-store.ts';
import type { SqliteStore } from '../sqlite-store.ts';
import { type TemporaryDirectory, temporaryDirectory } from '../testing/temporary-directory.ts';

let place: TemporaryDirectory;
let store: SqliteStore;
const moved = () => join(place.directory, 'moved.db');
const inPlace = () => join(place.directory, 'tollgate.db');

beforeEach(async () => {
  place = temporaryDirectory();
  store = await openSqliteStore({ directory: place.directory });
});

afterEach(async () => {
  await store.close();
  place.remove();
});

const usedOf = () => store.ledger.balances('acct_1', samplePeriod()).usedMicrocredits;
const shortage = async () => shortageOf(await store.ledger.hold(sampleOrder()));

test('a charge that waits for the store counts against monthly credits, once [G3]', async () => {
  const hold = await heldBy(store.ledger);
  const posting = samplePosting(hold, 1_000);
  renameSync(inPlace(), moved());
  for (const _again of [1, 2]) {
    await expect(store.ledger.post(posting)).rejects.toThrow('no longer at its path');
    expect(usedOf()).toBe(1_000);
    expect(await shortage()).toBe('period-used-up');
  }
  renameSync(moved(), inPlace());
  await store.ledger.post(posting);
  expect(usedOf()).toBe(1_000);
  expect(await shortage()).toBe('period-used-up');
});

test('a charge that waits for the store no longer counts when its hold ends without a charge', async () => {
  const hold = await heldBy(store.ledger);
  renameSync(inPlace(), moved());
  await expect(store.ledger.post(samplePosting(hold, 1_000))).rejects.toThrow('no longer at its path');
  renameSync(moved(), inPlace());
  store.ledger.void(hold);
  expect(usedOf()).toBe(0);
  expect(await shortage()).toBeUndefined();
});

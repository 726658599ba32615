import { expect, test } from 'bun:test';
import { sectionItems } from '../../inference/responses/section-items.ts';
import { NOW } from '../testing/conformance/sample-batches.ts';
import { migrations } from './migrations.ts';
import { openSqliteStore } from './open-sqlite-store.ts';
import { makeOldDirectory } from './testing/make-old-directory.ts';
import { temporaryDirectory } from './testing/temporary-directory.ts';

const message = (text: string) => `{"role":"user","content":"${text}"}`;
const LONG = 'x'.repeat(100_000);

/** A turn of an earlier version: the texts are in its row, and nothing is counted. */
const oldTurn = (id: string, previousId: string | null, turns: number) => ({
  response: { id, envelope: `{"id":"${id}"}`, now: NOW },
  turn: {
    id,
    previousId,
    input: `[${message(`${id} asked`)},${message(LONG)}]`,
    output: `[{"type":"reasoning","summary":[]},${message(`${id} said`)}]`,
    turns,
    now: NOW,
  },
});

test('lists, continues and sweeps conversations of an earlier version', async () => {
  const { directory, remove } = temporaryDirectory();
  const before = migrations.slice(
    0,
    migrations.findIndex(({ name }) => name === 'stored-texts'),
  );
  makeOldDirectory(directory, before, (connection) => {
    for (const { response, turn } of [oldTurn('resp_1', null, 1), oldTurn('resp_2', 'resp_1', 2)]) {
      connection.run(
        "INSERT INTO response (id, key_id, created_at, expires_at, envelope) VALUES ($id, 'key_1', $now, $now + 10, $envelope)",
        response,
      );
      connection.run(
        `INSERT INTO turn (id, previous_id, model, input, output, turns, bytes, kept_until)
        VALUES ($id, $previousId, 'm', $input, $output, $turns, 9, $now + 10)`,
        turn,
      );
    }
  });
  const store = await openSqliteStore({ directory });
  const owner = { keyId: 'key_1', now: NOW };
  const list = async (id: string) => {
    const count = (await store.countListed({ ...owner, id }))!;
    const range = { from: 0, to: count };
    const found: string[] = [];
    for (const section of await store.placeListed({ ...owner, id }, range)) {
      const text = (await store.loadSection(section))!;
      found.push(...sectionItems(text, section, { responseId: id, ...range }).map((item) => item.text));
    }
    return found.map((text) => JSON.parse(text).content[0].text).filter((text) => text !== LONG);
  };
  try {
    expect(await list('resp_2')).toEqual(['resp_1 asked', 'resp_1 said', 'resp_2 asked']);
    await store.saveResponse('acct_1', {
      id: 'resp_3',
      keyId: 'key_1',
      createdAt: NOW,
      expiresAt: NOW + 20,
      envelope: '{}',
      previousId: 'resp_2',
      wholeInput: '',
      itemIds: [],
      turn: { model: 'm', input: `[${message('resp_3 asked')}]`, output: '[]' },
      counts: { input: 1, output: 0 },
    });
    const all = ['resp_1 asked', 'resp_1 said', 'resp_2 asked', 'resp_2 said', 'resp_3 asked'];
    expect(await list('resp_3')).toEqual(all);
    expect(await store.loadTurns({ ...owner, id: 'resp_3' })).toHaveLength(3);
    // Only data stored by this version is counted, before and after the removal of all data.
    const counted = await store.storedBytes('acct_1');
    expect(counted).toBeWithin(100, 5_000);
    while ((await store.sweepResponses({ now: NOW + 100, limit: 1 })) > 0);
    expect(await store.storedBytes('acct_1')).toBe(0);
    expect(await store.loadTurns({ ...owner, id: 'resp_3' })).toEqual([]);
  } finally {
    await store.close();
    remove();
  }
});

test('sums data from before sums by expiry existed until its rows are deleted', async () => {
  const { directory, remove } = temporaryDirectory();
  const before = migrations.slice(
    0,
    migrations.findIndex(({ name }) => name === 'storage-steps'),
  );
  makeOldDirectory(directory, before, (connection) => {
    connection.script(`
      INSERT INTO response (id, key_id, created_at, expires_at, envelope, account_id, stored) VALUES
        ('resp_1', 'key_1', 0, 86400500, '{}', 'acct_1', 600),
        ('resp_2', 'key_1', 0, 86400400, '{}', 'acct_1', 500),
        ('resp_3', 'key_1', 0, 86400000, '{}', NULL, NULL);
      INSERT INTO turn (id, model, input, output, turns, bytes, kept_until, account_id, stored)
        VALUES ('resp_1', 'm', '[]', '[]', 1, 4, 90000000, 'acct_1', 4000);
    `);
  });
  const store = await openSqliteStore({ directory });
  try {
    expect(store.storedBytes('acct_1')).toBe(5_100);
    expect(await store.expiryOf('acct_1', 1)).toBe(86_401_000);
    expect(await store.expiryOf('acct_1', 1_101)).toBe(90_000_000);
    expect(await store.expiryOf('acct_1', 5_101)).toBeUndefined();
    while ((await store.sweepResponses({ now: 86_500_000, limit: 2 })) > 0);
    expect(store.storedBytes('acct_1')).toBe(4_000);
    expect(await store.expiryOf('acct_1', 1)).toBe(90_000_000);
    while ((await store.sweepResponses({ now: 90_000_000, limit: 2 })) > 0);
    expect(store.storedBytes('acct_1')).toBe(0);
  } finally {
    await store.close();
    remove();
  }
});

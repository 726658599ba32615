import { expect, spyOn, test } from 'bun:test';
import { openSqliteStore } from './open-sqlite-store.ts';
import { type Bindings, SqliteConnection } from './sqlite-connection.ts';
import { temporaryDirectory } from './testing/temporary-directory.ts';

test('a retry and the sums of kept answers use an index alone', async () => {
  const place = temporaryDirectory();
  const store = await openSqliteStore({ directory: place.directory });
  const sent: [sql: string, bindings: Bindings | undefined][] = [];
  const read = spyOn(SqliteConnection.prototype, 'all').mockImplementation((sql, bindings) => {
    sent.push([sql, bindings]);
    return [{ bytes: 1 }];
  });
  const { recordings } = store;
  const bound = { kind: 'replays', maxBytes: 2 } as const;
  await recordings.trim({ ...bound, accountId: 'acct_1' });
  await recordings.trim({ ...bound, accountId: null });
  await recordings.trim({ ...bound, accountId: null, kind: 'streams' });
  read.mockImplementation((sql, bindings) => {
    sent.push([sql, bindings]);
    return [];
  });
  const reading = { reader: 'r', readUntil: 1, now: 1 };
  await recordings.claimUnread({ keyId: 'k', path: '/v1/responses', bodyHash: 'h' }, reading);
  read.mockRestore();
  const plans = sent.map(([sql, bindings]) =>
    store.read((connection) => connection.first(`EXPLAIN QUERY PLAN ${sql}`, bindings)?.detail),
  );
  expect(await Promise.all(plans)).toEqual([
    expect.stringContaining('SEARCH recorded_answer USING COVERING INDEX'),
    expect.stringContaining('SCAN recorded_answer USING COVERING INDEX'),
    expect.stringContaining('SCAN recorded_answer USING COVERING INDEX'),
    expect.stringContaining('SEARCH recorded_answer USING INDEX'),
  ]);
  await store.close();
  place.remove();
});

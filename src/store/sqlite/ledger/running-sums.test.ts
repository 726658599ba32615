import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { Connection } from '../connection.ts';
import { openSqliteStore } from '../open-sqlite-store.ts';
import { temporaryDirectory } from '../temporary-directory.ts';
import { RunningSums } from './running-sums.ts';

/** A disk that is full when the sums are to be kept. */
class FullConnection extends Connection {
  override run(...[sql, bindings]: Parameters<Connection['run']>): number {
    if (sql === 'RELEASE sums' && !this.isFull) {
      this.isFull = true;
      throw new Error('database or disk is full');
    }
    return super.run(sql, bindings);
  }
  isFull = false;
}

test('sums that cannot be kept leave no transaction open, and are written the next time', async () => {
  const { directory, remove } = temporaryDirectory();
  const store = await openSqliteStore({ directory });
  await store.close();
  const connection = new FullConnection(join(directory, 'tollgate.db'));
  const sums = new RunningSums(connection);
  const entry = { id: 'ent_1', accountId: 'acct_1', at: 0, kind: 'purchase', period: 'purchased' } as const;
  const place = { number: 1, previous: 0, sequence: 1, hash: 'x' };
  sums.add({ ...entry, ...place, microcredits: 5, receipt: null, reason: null });
  expect(() => sums.write('acct_1')).toThrow('full');
  expect(connection.inTransaction).toBe(false);
  sums.write('acct_1');
  expect(connection.first('SELECT granted FROM bucket')).toEqual({ granted: 5 });
  connection.close();
  remove();
});

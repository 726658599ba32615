import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { sampleEntry } from '../../testing/conformance/sample-ledger.ts';
import { openSqliteStore } from '../open-sqlite-store.ts';
import { SqliteConnection } from '../sqlite-connection.ts';
import { temporaryDirectory } from '../testing/temporary-directory.ts';
import { RunningSums } from './running-sums.ts';

/** A connection whose disk is full when the sums are written. */
class FullConnection extends SqliteConnection {
  override run(...[sql, bindings]: Parameters<SqliteConnection['run']>): number {
    if (sql === 'RELEASE one' && !this.isFull) {
      this.isFull = true;
      throw new Error('database or disk is full');
    }
    return super.run(sql, bindings);
  }
  isFull = false;
}

test('sums that cannot be written are written in the next transaction', async () => {
  const { directory, remove } = temporaryDirectory();
  const store = await openSqliteStore({ directory });
  await store.close();
  const connection = new FullConnection(join(directory, 'tollgate.db'));
  const sums = new RunningSums(connection);
  sums.add({ entry: sampleEntry({ microcredits: 5 }), head: { number: 1, sequence: 1, hash: 'x' } });
  expect(() => sums.write('acct_1')).toThrow('full');
  expect(connection.inTransaction).toBe(false);
  sums.write('acct_1');
  expect(connection.first('SELECT granted FROM bucket')).toEqual({ granted: 5 });
  connection.close();
  remove();
});

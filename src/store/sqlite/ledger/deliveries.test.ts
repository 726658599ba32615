import { afterAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import { openSqliteStore } from '../open-sqlite-store.ts';
import { SqliteConnection } from '../sqlite-connection.ts';
import { temporaryDirectory } from '../testing/temporary-directory.ts';
import { Deliveries, selectConfirmed } from './deliveries.ts';
import { saveSummed, selectSummed } from './summed.ts';

const { directory, remove } = temporaryDirectory();
afterAll(remove);
await (await openSqliteStore({ directory })).close();

/** A connection that is cut off before the second statement of a change, as by a crash. */
class CutConnection extends SqliteConnection {
  isCut = false;

  override run(...[sql, bindings]: Parameters<SqliteConnection['run']>): number {
    if (this.isCut && /^INSERT INTO (confirmed|summed)/.test(sql)) throw new Error('cut off');
    return super.run(sql, bindings);
  }
}

test('a crash inside a change of `confirmed` or `summed` leaves the former row with its seal [G3]', () => {
  const connection = new CutConnection(join(directory, 'tollgate.db'));
  const deliveries = new Deliveries(connection, 3);
  expect(selectConfirmed(connection)).toEqual({ number: 3, ranges: [1, 3], isIntact: true });
  connection.isCut = true;
  expect(() => deliveries.confirm(5)).toThrow('cut off');
  expect(() => new Deliveries(connection, 7)).toThrow('cut off');
  expect(() => saveSummed(connection, { number: 5, isIntact: true })).toThrow('cut off');
  expect(selectConfirmed(connection)).toEqual({ number: 3, ranges: [1, 3], isIntact: true });
  expect(selectSummed(connection)).toEqual({ number: 0, isIntact: true });
  connection.close();
});

import { expect, test } from 'bun:test';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { SqliteConnection } from './sqlite-connection.ts';
import { temporaryDirectory } from './testing/temporary-directory.ts';

test('statements beyond the bound are prepared, and the earlier ones are prepared again', () => {
  const place = temporaryDirectory();
  const path = join(place.directory, 'test.db');
  closeSync(openSync(path, 'wx'));
  const connection = new SqliteConnection(path);
  const read = (number: number) => connection.first(`SELECT ${number} AS number`)?.number;
  for (let number = 0; number < 2_500; number++) expect(read(number)).toBe(number);
  for (const number of [0, 1, 2_499]) expect(read(number)).toBe(number);
  expect(connection.prepared).toBe(1_000);
  connection.close();
  place.remove();
});

import { expect, test } from 'bun:test';
import { openTestConnection } from './testing/open-test-connection.ts';

test('statements beyond the bound displace earlier ones, which are then prepared again', () => {
  const { connection, remove } = openTestConnection();
  const read = (number: number) => connection.first(`SELECT ${number} AS number`)?.number;
  for (let number = 0; number < 2_500; number++) expect(read(number)).toBe(number);
  for (const number of [0, 1, 2_499]) expect(read(number)).toBe(number);
  expect(connection.prepared).toBe(1_000);
  connection.close();
  remove();
});

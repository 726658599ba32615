import { expect, test } from 'bun:test';
import { Refusal } from '../../base/errors/refusal.ts';
import { queryTime } from '../../base/schema/time-schema.ts';
import { Type } from '../../base/schema/type.ts';
import { createQueryReader } from './create-query-reader.ts';
import { pageFields } from './page-fields.ts';

const schema = Type.Object({
  ...pageFields,
  status: Type.Optional(Type.Enum(['open', 'ended'])),
  since: queryTime('The start.'),
  dry_run: Type.Optional(Type.Boolean()),
});

const messageOf = (query: string, { isClosed = true } = {}): string | undefined => {
  try {
    const read = createQueryReader(schema, { isClosed })(query);
    return read instanceof Refusal ? read.message : undefined;
  } catch (error) {
    return (error as Refusal).message;
  }
};

test('converts only numbers and booleans from text', () => {
  const read = createQueryReader(schema, { isClosed: true });
  expect(read('limit=5&after=7&status=open')).toEqual({ limit: 5, after: '7', status: 'open' });
  expect(read('since=2026-11-22T10:00:00+01:00')).toEqual({ since: '2026-11-22T10:00:00+01:00' });
  expect(read('dry_run=true')).toEqual({ dry_run: true });
  expect(read('dry_run=false')).toEqual({ dry_run: false });
  expect(read('')).toEqual({});
});

test('names the first invalid parameter', () => {
  for (const [query, message] of [
    ['limit=ten', "limit must be an integer from 1 to 1000, not 'ten'."],
    ['limit=1001', 'limit must be an integer from 1 to 1000, not 1001.'],
    ['limit=1.5', 'limit must be an integer from 1 to 1000, not 1.5.'],
    ['dry_run=yes', 'dry_run must be a boolean, not a string.'],
    ['after=', 'after must not be empty.'],
    ['status=closed', "status must be one of open, ended, not 'closed'."],
    ['since=yesterday', 'since must be a time like 2026-11-22T10:00:00Z.'],
    ['since=1970-01-01T00:00%2B01:00', 'since must be a time like 2026-11-22T10:00:00Z.'],
  ] as const)
    expect({ query, message: messageOf(query) }).toEqual({ query, message });
});

test('refuses unknown and repeated parameters only if the query is closed', () => {
  expect(messageOf('lmit=1')).toBe("'lmit' is not a known query parameter; did you mean 'limit'?");
  expect(messageOf('limit=1&limit=2')).toBe('The query parameter limit must not be repeated.');
  expect(messageOf('lmit=1', { isClosed: false })).toBeUndefined();
});

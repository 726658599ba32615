import { afterEach, expect, test } from 'bun:test';
import { UpstreamConnection } from './connection.ts';
import { ConnectionPool } from './connection-pool.ts';
import { Outbox } from './outbox.ts';

const pool = new ConnectionPool();
afterEach(() => pool.close());

function keep(originKey: string): UpstreamConnection {
  const connection = new UpstreamConnection(originKey, { stable: pool, outbox: new Outbox() });
  pool.put(connection);
  return connection;
}

test('the connection that came last goes first, to its own origin', () => {
  const [first, second] = [keep('http://a'), keep('http://a')];
  expect(pool.take('http://b')).toBeUndefined();
  expect([pool.take('http://a'), pool.take('http://a'), pool.take('http://a')]).toEqual([
    second,
    first,
    undefined,
  ]);
});

test('what is too old is not taken, nor is what is older', () => {
  const connections = [keep('http://a'), keep('http://a')];
  for (const connection of connections) connection.expiresAt = 0;
  expect(pool.take('http://a')).toBeUndefined();
  expect(pool.size).toBe(0);
});

test('of one origin no more than so many are kept', () => {
  const oldest = keep('http://a');
  const kept = new Set(Array.from({ length: 256 }, () => keep('http://a')));
  expect(pool.size).toBe(256);
  for (let taken = pool.take('http://a'); taken; taken = pool.take('http://a'))
    expect(kept.delete(taken)).toBeTrue();
  expect(kept.has(oldest)).toBeFalse();
});

test('what is removed is not taken, and closing leaves none', () => {
  const [first] = [keep('http://a'), keep('http://a')];
  pool.remove(first!);
  expect(pool.size).toBe(1);
  pool.close();
  expect(pool.size).toBe(0);
});

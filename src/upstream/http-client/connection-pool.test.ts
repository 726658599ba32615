import { afterEach, expect, test } from 'bun:test';
import { ConnectionPool } from './connection-pool.ts';
import { Outbox } from './outbox.ts';
import { UpstreamConnection } from './upstream-connection.ts';

const pool = new ConnectionPool();
afterEach(() => pool.close());

function keep(originKey: string): UpstreamConnection {
  const connection = new UpstreamConnection(originKey, { idle: pool, outbox: new Outbox() });
  pool.put(connection);
  return connection;
}

test('reuses the most recently used connection of the same origin', () => {
  const [first, second] = [keep('http://a'), keep('http://a')];
  expect(pool.take('http://b')).toBeUndefined();
  expect([pool.take('http://a'), pool.take('http://a'), pool.take('http://a')]).toEqual([
    second,
    first,
    undefined,
  ]);
});

test('does not reuse an expired connection or any older one', () => {
  const connections = [keep('http://a'), keep('http://a')];
  for (const connection of connections) connection.expiresAt = 0;
  expect(pool.take('http://a')).toBeUndefined();
  expect(pool.size).toBe(0);
});

test('keeps a limited number of connections per origin', () => {
  const oldest = keep('http://a');
  const kept = new Set(Array.from({ length: 256 }, () => keep('http://a')));
  expect(pool.size).toBe(256);
  for (let taken = pool.take('http://a'); taken; taken = pool.take('http://a'))
    expect(kept.delete(taken)).toBeTrue();
  expect(kept.has(oldest)).toBeFalse();
});

test('closes all connections, none of which is reused', () => {
  const [first] = [keep('http://a'), keep('http://a')];
  pool.remove(first!);
  expect(pool.size).toBe(1);
  pool.close();
  expect(pool.size).toBe(0);
});

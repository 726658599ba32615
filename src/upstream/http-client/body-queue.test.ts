import { expect, test } from 'bun:test';
import { BodyQueue } from './body-queue.ts';

const bytes = (length: number, from = 0) => Buffer.from(Array.from({ length }, (_, at) => (at + from) % 251));

function queueOf(...pieces: Buffer[]): BodyQueue {
  const queue = new BodyQueue();
  for (const piece of pieces) queue.push(piece, 0, piece.length);
  return queue;
}

function drain(queue: BodyQueue, maxBytes: number): Buffer[] {
  const taken: Buffer[] = [];
  for (let piece = queue.shift(maxBytes); piece; piece = queue.shift(maxBytes)) taken.push(piece);
  return taken;
}

test('returns a body in pieces of at most the requested size, without loss', () => {
  const taken = drain(queueOf(bytes(1_000), bytes(7, 5), bytes(500, 9)), 64);
  expect(taken.every(({ length }) => length <= 64)).toBe(true);
  expect(Buffer.concat(taken)).toEqual(Buffer.concat([bytes(1_000), bytes(7, 5), bytes(500, 9)]));
});

test('returns later bytes after the rest of the earlier ones', () => {
  const queue = queueOf(bytes(1_000));
  const first = queue.shift(64)!;
  const late = bytes(300, 17);
  queue.push(late, 0, late.length);
  expect(queue.byteLength).toBe(1_236);
  expect(Buffer.concat([first, ...drain(queue, 64)])).toEqual(Buffer.concat([bytes(1_000), late]));
});

test('an unread rest keeps only its own bytes in memory', () => {
  const whole = bytes(512 * 1_024);
  const queue = queueOf(whole);
  const held = drain(queue, 64 * 1_024).map(({ buffer }) => buffer);
  expect(held.length).toBe(8);
  for (const buffer of held) {
    expect(buffer).not.toBe(whole.buffer);
    expect(buffer.byteLength).toBeLessThanOrEqual(64 * 1_024);
  }
});

test('returns the rest as text after the first piece', () => {
  const text = 'Words. '.repeat(100);
  const queue = queueOf(Buffer.from(text));
  const first = queue.shift(64)!.toString();
  expect(first + queue.takeText()).toBe(text);
  expect(queue.byteLength).toBe(0);
  expect(queue.shift()).toBeUndefined();
});

test('returns ten thousand pieces of one byte in order', () => {
  const all = bytes(10_000);
  const queue = new BodyQueue();
  for (let at = 0; at < all.length; at++) queue.push(all, at, at + 1);
  expect(Buffer.concat(drain(queue, 64))).toEqual(all);
});

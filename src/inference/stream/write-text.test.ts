import { expect, test } from 'bun:test';
import type { BodyPiece } from '../../edge/http/reply.ts';
import { LARGE_LENGTH, writeText } from './write-text.ts';

function recorder(taken?: () => Promise<void>) {
  const pieces: string[] = [];
  const write = (piece: BodyPiece) => {
    pieces.push(piece as string);
    return taken?.();
  };
  return { pieces, write };
}

test('writes a short text at once', () => {
  const writer = recorder();
  expect(writeText(writer, 'short')).toBeUndefined();
  expect(writer.pieces).toEqual(['short']);
});

test('writes a large text in parts of whole characters with turns for other work', async () => {
  const writer = recorder();
  const text = `x${'\u{1f600}'.repeat(LARGE_LENGTH)}`;
  let rounds = 0;
  let isOver = false;
  const count = () => {
    rounds++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  await writeText(writer, text);
  isOver = true;
  expect(writer.pieces.length).toBe(3);
  expect(rounds).toBeGreaterThanOrEqual(2);
  expect(writer.pieces.join('') === text).toBeTrue();
  for (const piece of writer.pieces) expect(piece.isWellFormed()).toBeTrue();
});

test('waits for the reader after each part', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const writer = recorder(() => promise);
  const writing = writeText(writer, 'x'.repeat(2 * LARGE_LENGTH));
  await Bun.sleep(5);
  expect(writer.pieces.length).toBe(1);
  resolve();
  await writing;
  expect(writer.pieces.length).toBe(2);
});

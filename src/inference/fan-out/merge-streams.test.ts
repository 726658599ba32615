import { expect, test } from 'bun:test';
import { mergeStreams } from './merge-streams.ts';

/** Makes a source that records its events. It waits for `pause` before each piece. */
function source(name: string, pieces: number, seen: string[], pause = () => Promise.resolve()) {
  return (async function* () {
    seen.push(`${name} opens`);
    try {
      for (let piece = 1; piece <= pieces; piece++) {
        await pause();
        seen.push(`${name}${piece}`);
        yield `${name}${piece}`;
      }
    } finally {
      seen.push(`${name} ends`);
    }
  })();
}

const read = async (merged: AsyncGenerator<string>) => Array.fromAsync(merged);

test('passes on every piece, in the order of its stream', async () => {
  const seen: string[] = [];
  const pieces = await read(
    mergeStreams([source('a', 3, seen), source('b', 2, seen), source('c', 0, seen)], 2),
  );
  expect(pieces.filter((piece) => piece.startsWith('a'))).toEqual(['a1', 'a2', 'a3']);
  expect(pieces.filter((piece) => piece.startsWith('b'))).toEqual(['b1', 'b2']);
  expect(pieces).toHaveLength(5);
});

test('opens at most the given number of streams at a time', async () => {
  const seen: string[] = [];
  await read(
    mergeStreams(
      ['a', 'b', 'c', 'd'].map((name) => source(name, 2, seen)),
      2,
    ),
  );
  let open = 0;
  for (const event of seen) {
    if (event.endsWith('opens')) open++;
    if (event.endsWith('ends')) open--;
    expect(open).toBeLessThanOrEqual(2);
  }
  expect(open).toBe(0);
});

test('a waiting stream does not delay the others', async () => {
  const seen: string[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const merged = mergeStreams([source('slow', 1, seen, () => promise), source('quick', 3, seen)], 2);
  for (const piece of ['quick1', 'quick2', 'quick3']) expect((await merged.next()).value).toBe(piece);
  resolve();
  expect(await read(merged)).toEqual(['slow1']);
});

test('reads at most one piece ahead from each stream for a slow reader', async () => {
  const seen: string[] = [];
  const merged = mergeStreams([source('a', 9, seen), source('b', 9, seen)], 2);
  await merged.next();
  await Bun.sleep(5);
  expect(seen.filter((event) => /\d$/.test(event))).toEqual(['a1', 'b1']);
  await merged.return();
  expect(seen.filter((event) => event.endsWith('ends'))).toHaveLength(2);
});

test('an error in one stream ends all streams', async () => {
  const seen: string[] = [];
  const fails = source('fails', 2, seen, () => Promise.reject(new Error('broken')));
  const merged = mergeStreams([source('a', 9, seen), fails], 2);
  await expect(read(merged)).rejects.toThrow('broken');
  await Bun.sleep(5);
  expect(seen).toContain('a ends');
});

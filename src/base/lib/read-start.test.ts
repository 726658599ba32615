import { expect, test } from 'bun:test';
import { readStart } from './read-start.ts';

const megabyte = new Uint8Array(1024 * 1024).fill(120);

/** Returns a stream without a length, which counts the bytes taken from it. */
function endless() {
  const state = { taken: 0 };
  const body = new ReadableStream({
    pull(controller) {
      state.taken++;
      controller.enqueue(megabyte);
    },
  });
  return { response: new Response(body), state };
}

test('reads only the beginning', async () => {
  const { response, state } = endless();
  const { text, isCut } = await readStart(response, 100);
  expect({ length: text.length, isCut }).toEqual({ length: 100, isCut: true });
  expect(state.taken).toBeLessThan(4);
});

test('keeps a character whole that is split between chunks', async () => {
  const bytes = new TextEncoder().encode('grüße');
  const body = new ReadableStream({
    start(controller) {
      for (const byte of bytes) controller.enqueue(new Uint8Array([byte]));
      controller.close();
    },
  });
  expect(await readStart(new Response(body), 100)).toEqual({ text: 'grüße', isCut: false });
});

import { expect, test } from 'bun:test';
import type { Reply, WrittenBody } from '../../edge/http/reply.ts';
import { asJsonArray } from './as-json-array.ts';

const streamed = (body: WrittenBody): Reply => ({
  status: 200,
  headers: { 'content-type': 'text/event-stream; charset=utf-8' },
  body,
});

async function textOf({ body }: Reply): Promise<string> {
  let text = '';
  await (body as WrittenBody)({
    write(piece) {
      text += piece;
      return undefined;
    },
  });
  return text;
}

test('events become the elements of one array, pauses line breaks', async () => {
  const reply = asJsonArray(
    streamed(async (writer) => {
      for (const piece of ['\n', 'data: {"a"', ':1}\n\ndata: {"a":2}\n', '\n', '\n', 'data: {"a":3}\n\n'])
        await writer.write(piece);
    }),
  );
  const text = await textOf(reply);
  expect(text).toBe('\n[{"a":1},\n{"a":2}\n,\n{"a":3}]');
  expect(JSON.parse(text)).toEqual([{ a: 1 }, { a: 2 }, { a: 3 }]);
  expect(reply.headers?.['content-type']).toStartWith('application/json');
});

test('only a stream becomes an array, an empty one without an event', async () => {
  expect(await textOf(asJsonArray(streamed(async () => {})))).toBe('[]');
  const whole: Reply = { status: 200, body: '{}' };
  expect(asJsonArray(whole)).toBe(whole);
});

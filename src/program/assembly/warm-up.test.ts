import { expect, test } from 'bun:test';
import { createDialects } from './create-dialects.ts';
import { createWires } from './create-wires.ts';
import { warmUp } from './warm-up.ts';

test('the warm-up reads, translates and answers a request in each chat dialect', () => {
  const dialects = createDialects();
  const wires = createWires();
  const answered: string[] = [];
  const observed = dialects.map((placed) => {
    const { codec } = placed.dialect;
    if (!codec) return placed;
    const encodeResponse: typeof codec.encodeResponse = (response, head) => {
      answered.push(
        `${placed.path}: ${response.parts.map((part) => (part.kind === 'text' ? part.text : ''))}`,
      );
      return codec.encodeResponse(response, head);
    };
    return { ...placed, dialect: { ...placed.dialect, codec: { ...codec, encodeResponse } } };
  });
  warmUp({ dialects: observed, wires });
  expect(answered).toEqual(
    ['/v1/chat/completions', '/v1/messages', '/v1/responses'].flatMap((path) => {
      const line = `${path}: It has 20 degrees.`;
      return [line, line];
    }),
  );
});

import { expect, test } from 'bun:test';
import { RawJson, stringifyWithRaw } from './raw-json.ts';

const schema = new RawJson('{ "b":1.0, "a":{} }');

test('writes raw JSON as it was sent, at any depth', () => {
  expect(stringifyWithRaw({ tools: [{ schema }, { schema: new RawJson('[1.50]') }], n: 1 })).toBe(
    '{"tools":[{"schema":{ "b":1.0, "a":{} }},{"schema":[1.50]}],"n":1}',
  );
});

test('keeps texts and names that look like its own marks', () => {
  const marks = ['\u0000raw:0', '\u0000raw:1', '\u0000raw:', '"\u0000raw:0"', '\\u0000raw:0'];
  const named = Object.fromEntries(marks.map((mark) => [mark, mark]));
  const parsed: unknown = JSON.parse(stringifyWithRaw({ schema, marks, named, last: schema }));
  expect(parsed).toEqual({ schema: schema.parse(), marks, named, last: schema.parse() });
});

import { expect, test } from 'bun:test';
import { problemsOf } from './testing/config-of.ts';

const row = (fields: string): string => `providers:
  - id: own
    base_url: https://bedrock-runtime.eu-west-1.amazonaws.com
    wire: bedrock-converse
    ${fields}`;

test.each([
  ['headers: { Authorization: a }', 'headers.Authorization'],
  ['key_header: x-api-key', 'key_header'],
])('credentials of a cloud exclude %s', (field, path) => {
  const message = 'cannot be combined with `aws`, which sets the header authorization';
  expect(problemsOf(row(`aws: {}\n    ${field}`))).toEqual([
    expect.stringContaining(`providers[0].${path}: ${message}`),
  ]);
  expect(problemsOf(row('aws: {}\n    headers: { x-tag: a }'))).toEqual([]);
});

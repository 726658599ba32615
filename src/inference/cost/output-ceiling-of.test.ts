import { expect, test } from 'bun:test';
import { type JsonObject, knownBody } from '../../base/json/json-body.ts';
import { partial } from '../../base/lib/testing/partial.ts';
import type { Model } from '../../settings/catalog/model.ts';
import { sampleEntry, sampleModel } from '../../settings/catalog/testing/sample-entry.ts';
import { sampleTarget } from '../../settings/hosts/testing/sample-target.ts';
import type { Wire } from '../../translation/canonical/wire.ts';
import { leastOutputOf } from './least-output-of.ts';
import { type LimitedAnswer, outputCeilingOf } from './output-ceiling-of.ts';
import { requestedCeiling } from './requested-ceiling.ts';

const model = sampleModel({ maxOutput: 1_000, contextWindow: 8_000 });

const ceilingOf = (
  value: JsonObject,
  { of = model, space, unaskedOutput }: Partial<Case> = {},
): number | null =>
  outputCeilingOf(
    partial<LimitedAnswer>({
      request: partial({
        body: knownBody(JSON.stringify(value), value),
        ...(space !== undefined && { outputSpace: space }),
      }),
      dialect: partial({
        ceilings: ['max_completion_tokens', 'max_tokens'],
        ...(unaskedOutput !== undefined && { unaskedOutput }),
      }),
    }),
    of,
  );
type Case = { of: Model; space: number; unaskedOutput: number };

test('the first ceiling of a body that is a number counts', () => {
  const names = ['max_completion_tokens', 'max_tokens'];
  expect(requestedCeiling({ max_tokens: 5, max_completion_tokens: 9 }, names)).toBe(9);
  expect(requestedCeiling({ max_completion_tokens: null, max_tokens: 5 }, names)).toBe(5);
  expect(requestedCeiling({}, names)).toBeUndefined();
});

test('an answer is as long as the request asks within the limit of the model', () => {
  expect(ceilingOf({ max_tokens: 5 })).toBe(5);
  expect(ceilingOf({ max_tokens: 5_000 })).toBe(1_000);
  expect(ceilingOf({})).toBe(1_000);
});

test('a model without a longest answer is bounded by its window', () => {
  expect(ceilingOf({}, { of: { ...model, maxOutput: null } })).toBe(8_000);
});

test('a prompt near the end of the window lowers the ceiling', () => {
  expect(ceilingOf({ max_tokens: 900 }, { space: 40 })).toBe(40);
});

test('a dialect with a default of its own bounds requests that ask for none', () => {
  expect(ceilingOf({}, { unaskedOutput: 16 })).toBe(16);
  expect(ceilingOf({ max_tokens: 20 }, { unaskedOutput: 16 })).toBe(20);
});

test('an embedding has no output', () => {
  expect(ceilingOf({ max_tokens: 5 }, { of: { ...model, kind: 'embedding' } })).toBeNull();
});

test('the least ceiling is that of the strictest wire of any target', () => {
  const least = (...wiresOfTargets: Wire[][]) =>
    leastOutputOf(sampleEntry({ targets: wiresOfTargets.map((wires) => sampleTarget({ wires })) }));
  const strict = least(['openai-responses']);
  expect(least(['openai-chat'])).toBe(0);
  expect(strict).toBeGreaterThan(0);
  expect(least(['openai-chat'], ['openai-chat', 'openai-responses'])).toBe(strict);
});

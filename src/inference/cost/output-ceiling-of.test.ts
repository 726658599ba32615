import { expect, test } from 'bun:test';
import type { Model } from '../../settings/catalog/model.ts';
import { leastOutputOf } from './least-output-of.ts';
import { type LimitedAnswer, outputCeilingOf } from './output-ceiling-of.ts';
import { requestedCeiling } from './requested-ceiling.ts';

const model = { kind: 'chat', maxOutput: 1_000, contextWindow: 8_000 } as Model;

const ceilingOf = (value: object, { of = model, space, unaskedOutput }: Partial<Case> = {}): number | null =>
  outputCeilingOf(
    {
      request: { body: { value }, ...(space !== undefined && { outputSpace: space }) },
      dialect: {
        ceilings: ['max_completion_tokens', 'max_tokens'],
        ...(unaskedOutput !== undefined && { unaskedOutput }),
      },
    } as unknown as LimitedAnswer,
    of,
  );
type Case = { of: Model; space: number; unaskedOutput: number };

test('the first ceiling of a body that is a number counts', () => {
  const names = ['max_completion_tokens', 'max_tokens'];
  expect(requestedCeiling({ max_tokens: 5, max_completion_tokens: 9 }, names)).toBe(9);
  expect(requestedCeiling({ max_completion_tokens: null, max_tokens: 5 }, names)).toBe(5);
  expect(requestedCeiling({}, names)).toBeUndefined();
});

test('an answer is as long as the request asks, and no longer than the model allows', () => {
  expect(ceilingOf({ max_tokens: 5 })).toBe(5);
  expect(ceilingOf({ max_tokens: 5_000 })).toBe(1_000);
  expect(ceilingOf({})).toBe(1_000);
});

test('a model without a longest answer is bounded by its window', () => {
  expect(ceilingOf({}, { of: { ...model, maxOutput: null } as unknown as Model })).toBe(8_000);
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
  const target = (...wires: string[]) => ({ wires });
  const entry = (...targets: object[]) => ({ targets }) as unknown as Parameters<typeof leastOutputOf>[0];
  expect(leastOutputOf(entry(target('openai-chat')))).toBe(0);
  const strict = leastOutputOf(entry(target('openai-responses')));
  expect(strict).toBeGreaterThan(0);
  expect(leastOutputOf(entry(target('openai-chat'), target('openai-chat', 'openai-responses')))).toBe(strict);
});

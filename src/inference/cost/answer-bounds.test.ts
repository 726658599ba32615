import { expect, test } from 'bun:test';
import type { Model } from '../../settings/catalog/model.ts';
import { answerBounds } from './answer-bounds.ts';

const model = (reasoning: boolean) =>
  ({ contextWindow: 9_000, maxOutput: 700, capabilities: { reasoning } }) as Model;

test('a host counts thinking outside the ceiling unless its wire or a quirk says that it does not [CRD-49]', () => {
  const bounds = (quirks: readonly string[], { wire = 'openai-chat', reasoning = true } = {}) =>
    answerBounds({ model: model(reasoning) }, [{ wires: [wire], quirks } as never]).thinksOutsideCeiling;
  expect(bounds([])).toBe(true);
  expect(bounds([], { wire: 'openai-completions' })).toBe(true);
  expect(bounds(['max-completion-tokens-only'])).toBe(false);
  expect(bounds(['thinking-in-ceiling'])).toBe(false);
  expect(bounds([], { wire: 'openai-responses' })).toBe(false);
  expect(bounds([], { reasoning: false })).toBe(false);
});

import { expect, test } from 'bun:test';
import type { Model } from '../../settings/catalog/model.ts';
import { answerBounds } from './answer-bounds.ts';

const model = (reasoning: boolean) =>
  ({ contextWindow: 9_000, maxOutput: 700, capabilities: { reasoning } }) as Model;

test('a host counts thinking outside the ceiling unless its wire or a quirk says that it does not [CRD-49]', () => {
  const bounds = (quirks: readonly string[], { wire = 'openai-chat', reasoning = true } = {}) =>
    answerBounds({ model: model(reasoning) }, [{ wires: [wire], quirks } as never]).thinksOutsideCeiling;
  expect([bounds([]), bounds([], { wire: 'openai-completions' })]).toEqual([true, true]);
  expect([bounds(['max-completion-tokens-only']), bounds(['thinking-in-ceiling'])]).toEqual([false, false]);
  expect([bounds([], { wire: 'openai-responses' }), bounds([], { reasoning: false })]).toEqual([
    false,
    false,
  ]);
});

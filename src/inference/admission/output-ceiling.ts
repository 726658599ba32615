import type { Model } from '../../settings/catalog/model.ts';
import { askedOutput } from './asked-output.ts';
import type { CreditQuestion } from './hold-credit.ts';

/** The most output tokens that each answer may have where nothing but the request and the model bound it; null: it has none. */
export function outputCeilingOf(
  { request, dialect }: Pick<CreditQuestion, 'request' | 'dialect'>,
  { kind, maxOutput, contextWindow }: Model,
): number | null {
  if (kind === 'embedding') return null;
  const { ceilings = [], unaskedOutput } = dialect;
  const bound = request.outputRoom ?? maxOutput ?? contextWindow;
  return Math.min(askedOutput(request.body.value, ceilings) ?? unaskedOutput ?? bound, bound);
}

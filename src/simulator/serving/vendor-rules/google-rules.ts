import { BadInput } from '../../model/bad-input.ts';
import type { Field } from '../../model/field.ts';
import { isSet } from './is-set.ts';
import type { VendorRule } from './vendor-rule.ts';

const refuseThinkingBudget = (body: Field): BadInput | undefined =>
  body.at('generationConfig').at('thinkingConfig').at('thinkingBudget').present
    ? new BadInput('thinking_budget is not supported by this model. Use thinking_level instead.')
    : undefined;

function refusePenalties(body: Field): BadInput | undefined {
  const generation = body.at('generationConfig');
  return ['presencePenalty', 'frequencyPenalty'].some((name) => isSet(generation.at(name)))
    ? new BadInput('Penalty is not enabled for this model')
    : undefined;
}

export const googleRules: readonly VendorRule[] = [
  { models: /gemini-4-(argon|carbon|hydrogen)/, wires: ['google-generate'], check: refuseThinkingBudget },
  { models: /^gemini-/, wires: ['google-generate'], check: refusePenalties },
];

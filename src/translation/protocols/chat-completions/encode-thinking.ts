import { takesBudget } from '../../canonical/quirk.ts';
import type { CanonicalRequest } from '../../canonical/request.ts';
import type { EncodeTarget } from '../../contract/encode-target.ts';
import { effortOfBudget, effortOrder } from '../../encoding/efforts.ts';
import type { EncodeNotes } from '../../encoding/encode-notes.ts';
import { planThinking, type ThinkingPlan } from '../../encoding/plan-thinking.ts';
import { thinkingFields } from './thinking-fields.ts';

/** Encodes thinking. The wire has only efforts. Some hosts also have a field of their own. */
export function encodeThinking(request: CanonicalRequest, target: EncodeTarget, notes: EncodeNotes): object {
  const plan = planThinking(request, target, notes);
  if (plan === undefined) return {};
  const field = target.thinkingField && thinkingFields(plan, target.thinkingField);
  return { reasoning_effort: encodeEffort(plan, target, notes), ...field };
}

/** Returns the effort to name, or undefined if the host's own field or the model decides. */
function encodeEffort(plan: ThinkingPlan, target: EncodeTarget, notes: EncodeNotes): string | undefined {
  const { thinkingField, reasoningEfforts } = target;
  const ifListed = (effort: string) => (reasoningEfforts.includes(effort) ? effort : undefined);
  if (plan.mode === 'off') {
    if (!ifListed('none') && !thinkingField) notes.lose('thinking-budget');
    return ifListed('none');
  }
  if (plan.effort !== undefined || plan.mode === 'default') return plan.effort;
  if (plan.budgetTokens === undefined) return thinkingField ? undefined : usualEffort(reasoningEfforts);
  if (takesBudget(thinkingField)) return undefined;
  notes.lose('thinking-budget');
  return ifListed(effortOfBudget(plan.budgetTokens));
}

/**
 * Returns the usual effort, or the next that the model lists. Some models think only if the request names an
 * effort.
 */
const usualEffort = (listedEfforts: readonly string[]): string | undefined =>
  effortOrder.slice(effortOrder.indexOf('medium')).find((effort) => listedEfforts.includes(effort));

import type { CanonicalRequest } from '../../canonical/request.ts';
import type { EncodeTarget } from '../../contract/encode-target.ts';
import { effortOfBudget, effortOrder } from '../../encoding/efforts.ts';
import type { EncodeNotes } from '../../encoding/encode-notes.ts';
import { planThinking, type ThinkingPlan } from '../../encoding/plan-thinking.ts';
import { ENCRYPTED_CONTENT } from './view.ts';

type Reasoning = { effort?: string; summary?: string };

/** The vendor's words for kinds of summaries. */
const summaries = new Set(['auto', 'concise', 'detailed']);

/**
 * Encodes the thinking options. Asks for encrypted reasoning, which later turns need because the upstream
 * stores nothing.
 */
export function encodeReasoning(
  request: CanonicalRequest,
  target: EncodeTarget,
  notes: EncodeNotes,
): { reasoning?: Reasoning; include?: string[] } {
  const plan = planThinking(request, target, notes);
  if (plan === undefined) return {};
  const { display } = request.thinking ?? {};
  const effort = plan.mode === 'off' ? leastEffort(target, notes) : effortOf(plan, target, notes);
  const summary = display !== undefined && summaries.has(display) ? display : 'auto';
  const reasoning = { ...(effort !== undefined && { effort }), ...(plan.visible && { summary }) };
  return {
    ...(Object.keys(reasoning).length > 0 && { reasoning }),
    ...(plan.mode !== 'off' && { include: [ENCRYPTED_CONTENT] }),
  };
}

/** Returns the lowest effort, for a model that cannot stop thinking. */
function leastEffort({ reasoningEfforts }: EncodeTarget, notes: EncodeNotes): string | undefined {
  if (!reasoningEfforts.includes('none')) notes.lose('thinking-budget');
  return effortOrder.find((effort) => reasoningEfforts.includes(effort));
}

/** Returns the effort. A token budget becomes a level, since this protocol has no budgets. */
function effortOf(
  plan: ThinkingPlan,
  { reasoningEfforts }: EncodeTarget,
  notes: EncodeNotes,
): string | undefined {
  if (plan.budgetTokens === undefined) return plan.effort;
  notes.lose('thinking-budget');
  const effort = plan.effort ?? effortOfBudget(plan.budgetTokens);
  return reasoningEfforts.includes(effort) ? effort : undefined;
}

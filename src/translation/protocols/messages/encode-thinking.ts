import type { CanonicalRequest } from '../../canonical/request.ts';
import type { EncodeTarget } from '../../contract/encode-target.ts';
import { budgetOfEffort } from '../../encoding/efforts.ts';
import type { EncodeNotes } from '../../encoding/encode-notes.ts';
import { planThinking, type ThinkingPlan } from '../../encoding/plan-thinking.ts';
import type { VendorMessage } from './encode-messages.ts';
import { isForced } from './encode-tools.ts';

/** The smallest budget that the vendor accepts. */
const MIN_BUDGET = 1_024;

type EncodedThinking = { thinking?: { type: string } & Record<string, unknown>; effort?: string };

type Situation = { target: EncodeTarget; maxTokens: number; messages: readonly VendorMessage[] };

/** Encodes thinking. Models that list efforts choose their own budget. Older models need an explicit one. */
export function encodeThinking(
  request: CanonicalRequest,
  { target, maxTokens, messages }: Situation,
  notes: EncodeNotes,
): EncodedThinking {
  const plan = planThinking(request, target, notes);
  if (plan === undefined) return {};
  const effort = plan.effort === undefined ? {} : { effort: plan.effort === 'minimal' ? 'low' : plan.effort };
  if (plan.mode === 'off') return { thinking: { type: 'disabled' } };
  if (plan.mode === 'default' && (plan.effort ?? plan.effortBudget) === undefined && !plan.visible) return {};
  const adapts = target.reasoningEfforts.length > 0 && plan.budgetTokens === undefined;
  const thinking = adapts ? { type: 'adaptive' } : encodeBudget(plan, maxTokens);
  if (thinking === undefined || isForced(request.toolChoice) || (!adapts && continuesCalls(messages))) {
    notes.lose('thinking-budget');
    return effort;
  }
  const { display } = request.thinking ?? {};
  const isKnown = display === 'summarized' || display === 'omitted';
  return { thinking: { ...thinking, ...(isKnown && { display }) }, ...effort };
}

/**
 * Computes the budget, which must be below the token limit.
 * Without a requested budget, half of the limit is left for the answer.
 */
function encodeBudget({ budgetTokens, effort, effortBudget }: ThinkingPlan, maxTokens: number) {
  const limit = budgetTokens === undefined ? Math.floor(maxTokens / 2) : maxTokens - 1;
  const wanted = budgetTokens ?? effortBudget ?? budgetOfEffort(effort ?? 'medium');
  const budget = Math.min(Math.max(wanted, MIN_BUDGET), limit);
  return budget < MIN_BUDGET ? undefined : { type: 'enabled', budget_tokens: budget };
}

/**
 * Reports whether the last turn answers calls that were made without thinking. With thinking enabled, the
 * vendor requires a turn with answered calls to begin with its thinking.
 * Calls made by other vendors' models lack it.
 */
function continuesCalls(messages: readonly VendorMessage[]): boolean {
  const isAnswered = messages.at(-1)?.content.some(({ type }) => type === 'tool_result');
  const turn = messages.findLast(({ role }) => role === 'assistant');
  return isAnswered === true && !/thinking$/.test(String(turn?.content[0]?.type));
}

import type { CanonicalRequest } from '../../canonical/request.ts';
import type { EncodeTarget } from '../codec.ts';
import type { EncodeNotes } from '../encode-notes.ts';
import { budgetOfEffort, planThinking, type ThinkingPlan } from '../thinking-plan.ts';
import type { MessageOut } from './encode-messages.ts';
import { isForced } from './encode-tools.ts';

/** The least that the vendor takes. */
const LEAST_BUDGET = 1_024;

export type EncodedThinking = { thinking?: { type: string } & Record<string, unknown>; effort?: string };

type Situation = { target: EncodeTarget; maxTokens: number; messages: readonly MessageOut[] };

/** Models that list efforts decide themselves how much to think; older ones are given a budget. */
export function encodeThinking(
  request: CanonicalRequest,
  { target, maxTokens, messages }: Situation,
  notes: EncodeNotes,
): EncodedThinking {
  const plan = planThinking(request, target, notes);
  if (plan === undefined) return {};
  const effort = plan.effort === undefined ? {} : { effort: plan.effort === 'minimal' ? 'low' : plan.effort };
  if (plan.mode === 'off') return { thinking: { type: 'disabled' } };
  if (plan.mode === 'default' && plan.effort === undefined && !plan.visible) return {};
  const adapts = target.reasoningEfforts.length > 0 && plan.budgetTokens === undefined;
  const thinking = adapts ? { type: 'adaptive' } : budgeted(plan, maxTokens);
  if (thinking === undefined || isForced(request.toolChoice) || (!adapts && continuesCalls(messages))) {
    notes.lose('thinking-budget');
    return effort;
  }
  const display = displays.has(request.thinking?.display) && { display: request.thinking?.display };
  return { thinking: { ...thinking, ...display }, ...effort };
}

const displays = new Set<string | undefined>(['summarized', 'omitted']);

/** The budget is a part of the ceiling and has to be less; what nobody asked for leaves half of it to the answer. */
function budgeted({ budgetTokens, effort }: ThinkingPlan, maxTokens: number) {
  const most = budgetTokens === undefined ? Math.floor(maxTokens / 2) : maxTokens - 1;
  const budget = Math.min(Math.max(budgetTokens ?? budgetOfEffort(effort ?? 'medium'), LEAST_BUDGET), most);
  return budget < LEAST_BUDGET ? undefined : { type: 'enabled', budget_tokens: budget };
}

/** A turn of calls that is being answered has to begin with its thinking, which calls made elsewhere have not. */
function continuesCalls(messages: readonly MessageOut[]): boolean {
  const isAnswered = messages.at(-1)?.content.some(({ type }) => type === 'tool_result');
  const turn = messages.findLast(({ role }) => role === 'assistant');
  return isAnswered === true && !/thinking$/.test(turn?.content[0]?.type);
}

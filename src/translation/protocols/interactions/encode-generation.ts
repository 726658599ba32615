import type { CanonicalRequest, OutputFormat } from '../../canonical/request.ts';
import type { EncodeTarget } from '../../contract/encode-target.ts';
import { effortOfBudget, effortOrder } from '../../encoding/efforts.ts';
import type { EncodeNotes } from '../../encoding/encode-notes.ts';
import type { EncodeSituation } from '../../encoding/encode-situation.ts';
import { lowerCeiling } from '../../encoding/lower-ceiling.ts';
import { planThinking, type ThinkingPlan } from '../../encoding/plan-thinking.ts';
import { stopsForWire } from '../../encoding/stops-for-wire.ts';
import { MAX_STOP_SEQUENCES, seedOf } from '../google/encode-limits.ts';

/** Encodes the configuration. Returns undefined if the request sets no member of it. */
export function encodeGeneration(
  request: CanonicalRequest,
  toolChoice: unknown,
  situation: EncodeSituation,
): object | undefined {
  const { target, notes } = situation;
  const { sampling, maxOutputTokens } = request;
  if (sampling.topK !== undefined) notes.lose('top-k');
  if (sampling.presencePenalty || sampling.frequencyPenalty) notes.lose('penalty');
  const config = {
    max_output_tokens: lowerCeiling(maxOutputTokens, target.maxOutput),
    temperature: sampling.temperature,
    top_p: sampling.topP,
    seed: seedOf(sampling.seed, notes),
    stop_sequences: stopsForWire(sampling.stopSequences, { limit: MAX_STOP_SEQUENCES }),
    ...encodeThinking(planThinking(request, target, notes), situation),
    tool_choice: toolChoice,
  };
  return Object.values(config).some((value) => value !== undefined) ? config : undefined;
}

/**
 * Encodes thinking. This wire has levels and no budget, and its models cannot stop thinking, so `off` becomes
 * the lowest level.
 */
export function encodeThinking(plan: ThinkingPlan | undefined, { target, notes }: EncodeSituation) {
  if (plan === undefined) return { thinking_level: undefined, thinking_summaries: undefined };
  if (plan.mode === 'off') notes.lose('thinking-budget');
  return {
    thinking_level: plan.mode === 'off' ? leastOf(target) : levelOf(plan, target, notes),
    thinking_summaries: plan.visible ? 'auto' : undefined,
  };
}

const leastOf = ({ reasoningEfforts }: EncodeTarget): string =>
  effortOrder.find((effort) => effort !== 'none' && reasoningEfforts.includes(effort)) ?? 'low';

function levelOf(plan: ThinkingPlan, { reasoningEfforts }: EncodeTarget, notes: EncodeNotes) {
  if (plan.effort !== undefined) return plan.effort;
  const budget = plan.budgetTokens ?? plan.effortBudget;
  if (budget === undefined) return undefined;
  if (plan.budgetTokens !== undefined) notes.lose('thinking-budget');
  const level = effortOfBudget(budget);
  return reasoningEfforts.length === 0 || reasoningEfforts.includes(level) ? level : undefined;
}

/** Encodes the form of the output. Text is the default. */
export function encodeFormat(format: OutputFormat | undefined): object | undefined {
  if (format === undefined || format.kind === 'text') return undefined;
  const schema = format.kind === 'json-schema' ? { schema: format.schema } : {};
  return { type: 'text', mime_type: 'application/json', ...schema };
}

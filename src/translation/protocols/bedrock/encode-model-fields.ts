import type { CanonicalRequest } from '../../canonical/request.ts';
import type { EncodeTarget } from '../../contract/codec.ts';
import type { EncodeNotes } from '../../encoding/encode-notes.ts';
import { lowerCeiling } from '../../encoding/lower-ceiling.ts';
import { stopsForWire } from '../../encoding/stops-for-wire.ts';
import { planThinking, type ThinkingPlan } from '../../encoding/thinking-plan.ts';
import { type BedrockMessage, goesOnWithoutThinking } from './encode-messages.ts';
import { encodeThinking } from './encode-thinking.ts';
import type { Family } from './family.ts';

export type ModelContext = {
  target: EncodeTarget;
  family: Family;
  notes: EncodeNotes;
  messages: readonly BedrockMessage[];
};

const MAX_TEMPERATURE = 1;
/** The lowest `top_p` that Anthropic's models accept together with thinking. */
const MIN_TOP_P = 0.95;

/** Encodes `inferenceConfig` and the model maker's own fields, which depend on each other. */
export function encodeModelFields(request: CanonicalRequest, context: ModelContext) {
  const { target, family, notes } = context;
  const maxTokens = lowerCeiling(request.maxOutputTokens, target.maxOutput);
  const plan = allowedPlan(planThinking(request, target, notes), request, context);
  const thinking = withoutInterruption(
    encodeThinking(plan, { family, refusesBudgets: target.refusesBudgets === true, maxTokens, notes }),
    context,
  );
  const isThinking = ['enabled', 'adaptive'].includes(typeOf(thinking) ?? '');
  const fields = { ...thinking, ...topKOf(request, isThinking, context) };
  const stopSequences = stopsForWire(request.sampling.stopSequences);
  return {
    inferenceConfig: orNothing({
      maxTokens,
      ...samplingOf(request, isThinking, notes),
      stopSequences,
    }),
    additionalModelRequestFields: orNothing(fields),
    additionalModelResponseFieldPaths:
      stopSequences && family.reportsSequence ? ['/stop_sequence', '/delta/stop_sequence'] : undefined,
  };
}

const orNothing = (fields: Record<string, unknown>): object | undefined =>
  Object.values(fields).some((value) => value !== undefined) ? fields : undefined;

/**
 * Drops thinking if the request forces a call and the model cannot do both. The forced call is the harder
 * requirement.
 */
function allowedPlan(
  plan: ThinkingPlan | undefined,
  { toolChoice }: CanonicalRequest,
  { family, notes }: ModelContext,
): ThinkingPlan | undefined {
  if (plan === undefined || plan.mode === 'off' || !family.isSigned) return plan;
  const isForced = toolChoice?.kind === 'any' || toolChoice?.kind === 'named';
  if (!isForced) return plan;
  const isAsked = plan.mode !== 'default' || plan.effort !== undefined;
  if (isAsked) notes.lose('thinking-budget');
  return undefined;
}

const typeOf = ({ thinking }: Record<string, unknown>) => (thinking as { type?: string } | undefined)?.type;

/**
 * Drops a thinking budget if the model is within a turn of calls that began without thinking. Adaptive
 * thinking may begin at any point.
 */
function withoutInterruption(fields: Record<string, unknown>, { notes, messages }: ModelContext) {
  if (typeOf(fields) !== 'enabled' || !goesOnWithoutThinking(messages)) return fields;
  notes.lose('thinking-budget');
  return {};
}

function samplingOf({ sampling }: CanonicalRequest, isThinking: boolean, notes: EncodeNotes) {
  const { temperature, topP, seed, frequencyPenalty, presencePenalty } = sampling;
  if (seed !== undefined) notes.lose('seed');
  if (frequencyPenalty || presencePenalty) notes.lose('penalty');
  const warmth = temperature === undefined ? undefined : Math.min(temperature, MAX_TEMPERATURE);
  const samplingFields = isThinking
    ? { temperature: undefined, topP: topP !== undefined && topP >= MIN_TOP_P ? topP : undefined }
    : { temperature: warmth, topP };
  const isWarmthKept =
    temperature === (samplingFields.temperature ?? (isThinking ? MAX_TEMPERATURE : undefined));
  if ((temperature !== undefined && !isWarmthKept) || topP !== samplingFields.topP) notes.lose('sampling');
  return samplingFields;
}

function topKOf(
  { sampling: { topK } }: CanonicalRequest,
  isThinking: boolean,
  { family, notes }: ModelContext,
) {
  if (topK === undefined) return {};
  if (family.topK !== undefined && !isThinking) return family.topK(topK);
  notes.lose('top-k');
  return {};
}

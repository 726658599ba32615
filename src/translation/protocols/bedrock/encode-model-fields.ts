import { objectOf } from '../../../base/json/read-json.ts';
import type { Fields } from '../../../base/schema/json-type.ts';
import type { CanonicalRequest } from '../../canonical/request.ts';
import type { EncodeTarget } from '../../contract/encode-target.ts';
import type { EncodeNotes } from '../../encoding/encode-notes.ts';
import { lowerCeiling } from '../../encoding/lower-ceiling.ts';
import { planThinking, type ThinkingPlan } from '../../encoding/plan-thinking.ts';
import { stopsForWire } from '../../encoding/stops-for-wire.ts';
import { type BedrockMessage, continuesWithoutThinking } from './encode-messages.ts';
import { encodeThinking } from './encode-thinking.ts';
import type { Family } from './family.ts';

type ModelContext = {
  target: EncodeTarget;
  family: Family;
  notes: EncodeNotes;
  messages: readonly BedrockMessage[];
};

/** The highest temperature of this wire, and the only one of a model that thinks. */
const MAX_TEMPERATURE = 1;
/** The lowest `top_p` that Anthropic's models accept together with thinking. */
const MIN_TOP_P = 0.95;

/** Encodes `inferenceConfig` and the model maker's own fields, which depend on each other. */
export function encodeModelFields(request: CanonicalRequest, context: ModelContext) {
  const { target, family, notes } = context;
  const maxTokens = lowerCeiling(request.maxOutputTokens, target.maxOutput);
  const plan = allowedPlan(planThinking(request, target, notes), request, context);
  const thinking = withoutInterruption(
    encodeThinking(plan, { family, refusesBudgets: target.thinkingBudgets === 'refused', maxTokens, notes }),
    context,
  );
  const type = thinkingType(thinking);
  const isThinking = type === 'enabled' || type === 'adaptive';
  const stopSequences = stopsForWire(request.sampling.stopSequences);
  const sampling = encodeSampling(request, isThinking, notes);
  return {
    inferenceConfig: unlessEmpty({ maxTokens, ...sampling, stopSequences }),
    additionalModelRequestFields: unlessEmpty({ ...thinking, ...encodeTopK(request, isThinking, context) }),
    additionalModelResponseFieldPaths:
      stopSequences && family.reportsSequence ? ['/stop_sequence', '/delta/stop_sequence'] : undefined,
  };
}

const unlessEmpty = (fields: Fields): object | undefined =>
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
  const isRequested = plan.mode !== 'default' || plan.effort !== undefined;
  if (isRequested) notes.lose('thinking-budget');
  return undefined;
}

/** Returns the kind of thinking in the fields of Anthropic's models. */
const thinkingType = ({ thinking }: Fields): unknown => objectOf(thinking).type;

/**
 * Drops a thinking budget if the model is within a turn of calls that began without thinking. Adaptive
 * thinking may begin at any point.
 */
function withoutInterruption(fields: Fields, { notes, messages }: ModelContext): Fields {
  if (thinkingType(fields) !== 'enabled' || !continuesWithoutThinking(messages)) return fields;
  notes.lose('thinking-budget');
  return {};
}

function encodeSampling({ sampling }: CanonicalRequest, isThinking: boolean, notes: EncodeNotes) {
  const { temperature, topP, seed, frequencyPenalty, presencePenalty } = sampling;
  if (seed !== undefined) notes.lose('seed');
  if (frequencyPenalty || presencePenalty) notes.lose('penalty');
  const nearest = isThinking ? MAX_TEMPERATURE : lowerCeiling(temperature, MAX_TEMPERATURE);
  const isTemperatureChanged = temperature !== undefined && temperature !== nearest;
  const isTopPDropped = isThinking && topP !== undefined && topP < MIN_TOP_P;
  if (isTemperatureChanged || isTopPDropped) notes.lose('sampling');
  return {
    temperature: isThinking ? undefined : nearest,
    topP: isTopPDropped ? undefined : topP,
  };
}

/** Encodes top-k in the model maker's own field. Anthropic's models refuse it together with thinking. */
function encodeTopK(
  { sampling: { topK } }: CanonicalRequest,
  isThinking: boolean,
  { family, notes }: ModelContext,
): Fields {
  if (topK === undefined) return {};
  if (family.topK !== undefined && !isThinking) return family.topK(topK);
  notes.lose('top-k');
  return {};
}

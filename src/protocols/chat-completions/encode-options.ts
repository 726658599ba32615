import type { CanonicalRequest, OutputFormat } from '../../canonical/request.ts';
import type { EncodeTarget } from '../codec.ts';
import type { EncodeNotes } from '../encode-notes.ts';
import { stopsForWire } from '../stops-for-wire.ts';
import { effortOfBudget, planThinking } from '../thinking-plan.ts';
import { isOpenaiModel } from './openai-models.ts';

const MAX_STOPS = 4;
/** Longer ones are refused. */
const MAX_HINT_LENGTH = 64;

export function encodeCeiling({ maxOutputTokens }: CanonicalRequest, target: EncodeTarget): object {
  if (maxOutputTokens === undefined) return {};
  const ceiling = Math.min(maxOutputTokens, target.maxOutput ?? maxOutputTokens);
  return { [isOpenaiModel(target.upstreamModel) ? 'max_completion_tokens' : 'max_tokens']: ceiling };
}

export function encodeSampling(
  { sampling }: CanonicalRequest,
  target: EncodeTarget,
  notes: EncodeNotes,
): object {
  if (sampling.topK !== undefined) notes.lose('top-k');
  return {
    temperature: sampling.temperature,
    top_p: sampling.topP,
    frequency_penalty: sampling.frequencyPenalty,
    presence_penalty: sampling.presencePenalty,
    seed: sampling.seed,
    stop: takesStops(target) ? stopsForWire(sampling.stopSequences, { most: MAX_STOPS }) : undefined,
  };
}

/** The vendor's reasoning models refuse the field. */
const takesStops = ({ upstreamModel, reasoning }: EncodeTarget): boolean =>
  !(reasoning && isOpenaiModel(upstreamModel));

export function encodeFormat(format: OutputFormat | undefined): object | undefined {
  if (format === undefined) return undefined;
  if (format.kind !== 'json-schema') return { type: format.kind === 'text' ? 'text' : 'json_object' };
  const { name = 'answer', description, schema, strict } = format;
  return { type: 'json_schema', json_schema: { name, description, schema, strict } };
}

/** Hosts of this protocol take an effort, nothing finer; a model that lists none thinks as it pleases. */
export function encodeEffort(
  request: CanonicalRequest,
  target: EncodeTarget,
  notes: EncodeNotes,
): string | undefined {
  const plan = planThinking(request, target, notes);
  if (plan === undefined) return undefined;
  const listed = (effort: string) => (target.reasoningEfforts.includes(effort) ? effort : undefined);
  if (plan.mode === 'off') {
    if (!listed('none')) notes.lose('thinking-budget');
    return listed('none');
  }
  if (plan.effort !== undefined || plan.mode === 'default') return plan.effort;
  if (plan.budgetTokens === undefined) return listed('medium'); // some models do not think unless an effort is named
  notes.lose('thinking-budget');
  return listed(effortOfBudget(plan.budgetTokens));
}

const withinLength = (hint: string | undefined): string | undefined =>
  hint !== undefined && hint.length <= MAX_HINT_LENGTH ? hint : undefined;

/** For hosts that know the fields; elsewhere they could cost the answer, and they are but hints. */
export function encodeHints({ hints }: CanonicalRequest, target: EncodeTarget, notes: EncodeNotes): object {
  const isKnown = isOpenaiModel(target.upstreamModel);
  const user = isKnown ? withinLength(hints.user) : undefined;
  const prompt_cache_key = isKnown ? withinLength(hints.cacheKey) : undefined;
  const service_tier = isKnown && TIERS.has(hints.serviceTier) ? hints.serviceTier : undefined;
  if (user !== hints.user) notes.lose('user-hint');
  if (service_tier !== hints.serviceTier) notes.lose('service-tier');
  return { safety_identifier: user, prompt_cache_key, service_tier };
}

const TIERS = new Set<string | undefined>(['auto', 'default', 'flex', 'priority']);

import { takesBudget } from '../../canonical/quirk.ts';
import type { CanonicalRequest, OutputFormat } from '../../canonical/request.ts';
import { ORDINARY_TIERS } from '../../canonical/service-tiers.ts';
import type { EncodeTarget } from '../../contract/codec.ts';
import type { EncodeNotes } from '../../encoding/encode-notes.ts';
import { fitHint, MAX_OF_OPENAI } from '../../encoding/fit-hint.ts';
import { noteOpenaiWishes } from '../../encoding/note-what-is-missing.ts';
import { stopsForWire } from '../../encoding/stops-for-wire.ts';
import {
  effortOfBudget,
  effortOrder,
  planThinking,
  type ThinkingPlan,
} from '../../encoding/thinking-plan.ts';
import { isOpenaiModel } from './is-openai-model.ts';
import { thinkingFields } from './thinking-fields.ts';

const MAX_STOPS = 4;

/** Encodes the token limit under the name that the host knows. */
export function encodeCeiling({ maxOutputTokens }: CanonicalRequest, target: EncodeTarget): object {
  if (maxOutputTokens === undefined) return {};
  const ceiling = Math.min(maxOutputTokens, target.maxOutput ?? maxOutputTokens);
  return { [isOpenaiModel(target.upstreamModel) ? 'max_completion_tokens' : 'max_tokens']: ceiling };
}

/** Encodes the parameters of sampling. This wire has no top-k. */
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
    stop: takesStops(target) ? stopsForWire(sampling.stopSequences, { limit: MAX_STOPS }) : undefined,
  };
}

/** OpenAI's reasoning models refuse `stop`. */
const takesStops = ({ upstreamModel, reasoning }: EncodeTarget): boolean =>
  !(reasoning && isOpenaiModel(upstreamModel));

/** Encodes the output format. The wire requires a name for a schema. */
export function encodeFormat(format: OutputFormat | undefined): object | undefined {
  if (format === undefined) return undefined;
  if (format.kind !== 'json-schema') return { type: format.kind === 'text' ? 'text' : 'json_object' };
  const { name = 'answer', description, schema, strict } = format;
  return { type: 'json_schema', json_schema: { name, description, schema, strict } };
}

/** Encodes thinking. The wire has only efforts. Some hosts also have a field of their own. */
export function encodeThinking(request: CanonicalRequest, target: EncodeTarget, notes: EncodeNotes): object {
  const plan = planThinking(request, target, notes);
  if (plan === undefined) return {};
  const field = target.thinkingField && thinkingFields(plan, target.thinkingField);
  return { reasoning_effort: encodeEffort(plan, target, notes), ...field };
}

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
 * Some models think only if the request names an effort.
 * It is the usual one, or the next that the model lists.
 */
const usualEffort = (listedEfforts: readonly string[]): string | undefined =>
  effortOrder.slice(effortOrder.indexOf('medium')).find((effort) => listedEfforts.includes(effort));

/**
 * Encodes hints for models whose host knows the fields. Other hosts may refuse the request for these fields.
 */
export function encodeWishes(request: CanonicalRequest, target: EncodeTarget, notes: EncodeNotes): object {
  const { user, cacheKey, serviceTier, cacheRetention } = request.hints;
  const knowsTier = isOpenaiModel(target.upstreamModel) && TIERS.has(serviceTier);
  if (serviceTier !== undefined && !knowsTier && !ORDINARY_TIERS.has(serviceTier)) notes.lose('service-tier');
  if (isOpenaiModel(target.upstreamModel)) {
    return {
      safety_identifier: fitHint(user, MAX_OF_OPENAI),
      prompt_cache_key: fitHint(cacheKey, MAX_OF_OPENAI),
      prompt_cache_retention: cacheRetention,
      service_tier: knowsTier ? serviceTier : undefined,
      verbosity: request.verbosity,
    };
  }
  if (user !== undefined) notes.lose('user-hint');
  noteOpenaiWishes(request, notes);
  return {};
}

/** The tiers of OpenAI's models. */
const TIERS: ReadonlySet<string | undefined> = new Set([
  'auto',
  'default',
  'flex',
  'scale',
  'priority',
  'fast',
]);

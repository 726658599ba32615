import { type JsonBody, type JsonObject, knownBody } from '../../base/json/json-body.ts';
import { membersOf, patchJson } from '../../base/json/patch-json.ts';
import { objectOf, textOf } from '../../base/json/read-json.ts';
import { removePaths } from '../../base/json/remove-paths.ts';
import { setMembers } from '../../base/json/set-members.ts';
import { isObject } from '../../base/lib/is-object.ts';
import type { LossCode } from '../canonical/loss.ts';
import type { Refuses } from '../canonical/refused-word.ts';
import type { CanonicalRequest, Sampling } from '../canonical/request.ts';
import { tierPrice } from '../canonical/service-tiers.ts';
import { effortOfBudget } from '../encoding/thinking-plan.ts';

/** A preference: where the dialects have it, how the canonical request loses it, and the loss. */
type Preference = {
  word: string;
  loss: LossCode;
  /** The members of the dialects, each as a path. */
  members: readonly (readonly string[])[];
  /** Another member of the request, beside which these are refused. */
  beside?: string;
  drop(request: CanonicalRequest): CanonicalRequest | undefined;
};

const ofSampling =
  (...names: (keyof Sampling)[]) =>
  (request: CanonicalRequest): CanonicalRequest | undefined => {
    const { sampling } = request;
    if (names.every((name) => sampling[name] === undefined)) return undefined;
    const left = Object.fromEntries(
      Object.entries(sampling).filter(([name]) => !names.includes(name as keyof Sampling)),
    );
    return { ...request, sampling: left };
  };

/** Drops a field that only its own protocol has, which a translation to the same protocol keeps. */
const withoutOwn =
  (name: string) =>
  (request: CanonicalRequest): CanonicalRequest | undefined => {
    const { opaque = [] } = request;
    if (!opaque.some(({ block }) => isObject(block) && name in block)) return undefined;
    const left = opaque.map((one) => {
      const { [name]: _dropped, ...block } = objectOf(one.block);
      return isObject(one.block) ? { ...one, block } : one;
    });
    return { ...request, opaque: left };
  };

/** Returns the path of a member in Google's dialect. */
const ofConfig = (name: string): readonly string[] => ['generationConfig', name];

/** The member of the Interactions API. */
const ofOptions = (name: string): readonly string[] => ['generation_config', name];

const preferences: readonly Preference[] = [
  {
    word: 'temperature',
    loss: 'sampling',
    members: [['temperature'], ofConfig('temperature'), ofOptions('temperature')],
    drop: ofSampling('temperature'),
  },
  {
    word: 'top_p',
    loss: 'sampling',
    members: [['top_p'], ofConfig('topP'), ofOptions('top_p')],
    drop: ofSampling('topP'),
  },
  {
    word: 'top_p_with_temperature',
    loss: 'sampling',
    beside: 'temperature',
    members: [['top_p'], ofConfig('topP'), ofOptions('top_p')],
    drop: (request) => (request.sampling.temperature === undefined ? undefined : ofSampling('topP')(request)),
  },
  { word: 'top_k', loss: 'top-k', members: [['top_k'], ofConfig('topK')], drop: ofSampling('topK') },
  {
    word: 'penalties',
    loss: 'penalty',
    // biome-ignore format: a line for each group
    members: [
      ['presence_penalty'], ['frequency_penalty'], ['repetition_penalty'],
      ofConfig('presencePenalty'), ofConfig('frequencyPenalty'),
    ],
    drop: ofSampling('presencePenalty', 'frequencyPenalty'),
  },
  {
    word: 'seed',
    loss: 'seed',
    members: [['seed'], ['random_seed'], ofConfig('seed'), ofOptions('seed')],
    drop: ofSampling('seed'),
  },
  { word: 'logit_bias', loss: 'logit-bias', members: [['logit_bias']], drop: withoutOwn('logit_bias') },
  {
    word: 'verbosity',
    loss: 'verbosity',
    members: [['verbosity'], ['text', 'verbosity']],
    drop: ({ verbosity, ...rest }) => (verbosity === undefined ? undefined : rest),
  },
  {
    word: 'parallel_tool_calls',
    loss: 'parallel-tool-calls',
    members: [['parallel_tool_calls'], ['tool_choice', 'disable_parallel_tool_use']],
    drop: ({ parallelToolCalls, ...rest }) => (parallelToolCalls === undefined ? undefined : rest),
  },
];

/** `words`: the words of the `refuses` list that applied. */
type Dropped<T> = { rest: T; losses: readonly LossCode[]; words: readonly string[] };

const NONE = { losses: [] as readonly LossCode[], words: [] as readonly string[] };

/**
 * Drops what the target refuses from a request that is translated.
 * Stop sequences stay, since the gateway ends the answer itself.
 */
export function dropRefused(request: CanonicalRequest, refuses: Refuses): Dropped<CanonicalRequest> {
  if (refuses === undefined) return { rest: request, ...NONE };
  const losses = new Set<LossCode>();
  const words: string[] = [];
  let rest = request;
  const take = (changed: CanonicalRequest | undefined, { word, loss }: Pick<Preference, 'word' | 'loss'>) => {
    if (changed === undefined) return;
    rest = changed;
    losses.add(loss);
    words.push(word);
  };
  for (const one of preferences) if (refuses.has(one.word)) take(one.drop(rest), one);
  const tier = refusedTier(rest.hints.serviceTier, refuses);
  if (tier !== undefined) {
    const { serviceTier: _tier, ...hints } = rest.hints;
    take({ ...rest, hints }, { word: tier, loss: 'service-tier' });
  }
  if (refuses.has('thinking_budget'))
    take(withoutBudget(rest), { word: 'thinking_budget', loss: 'thinking-budget' });
  return { rest, losses: [...losses], words };
}

/** Returns the request without stop sequences, as it is encoded for a target that refuses them. */
export function withoutStops(request: CanonicalRequest, refuses: Refuses): CanonicalRequest {
  if (!refuses?.has('stop') || request.sampling.stopSequences === undefined) return request;
  const { stopSequences: _stops, ...sampling } = request.sampling;
  return { ...request, sampling };
}

/**
 * Drops what the target refuses from the client's own text, for a target that speaks the client's protocol.
 */
export function removeRefused(body: JsonBody, refuses: Refuses): Dropped<JsonBody> {
  if (refuses === undefined) return { rest: body, ...NONE };
  const losses = new Set<LossCode>();
  const words: string[] = [];
  const paths: (readonly string[])[] = [];
  for (const { word, loss, members, beside } of preferences) {
    if (!refuses.has(word) || (beside !== undefined && !keepsBeside(body.value, beside, refuses))) continue;
    for (const path of members) {
      const value = memberAt(body.value, path);
      if (value === undefined) continue;
      paths.push(path);
      if (value === null) continue;
      losses.add(loss);
      if (!words.includes(word)) words.push(word);
    }
  }
  const tier = refusedTier(tierIn(body.value), refuses);
  if (tier !== undefined) {
    paths.push(['service_tier', 'serviceTier'].filter((name) => body.value[name] != null).slice(0, 1));
    losses.add('service-tier');
    words.push(tier);
  }
  const removed = paths.length > 0 ? removePaths(body, paths) : body;
  const rest = refuses.has('thinking_budget') ? withEffort(removed) : removed;
  if (rest !== removed) {
    losses.add('thinking-budget');
    words.push('thinking_budget');
  }
  return { rest, losses: [...losses], words };
}

/** Reports whether the text has a member that stays in it. */
const keepsBeside = (value: JsonObject, name: string, refuses: ReadonlySet<string>): boolean =>
  !refuses.has(name) &&
  (value[name] ?? memberAt(value, ofConfig(name)) ?? memberAt(value, ofOptions(name))) != null;

const memberAt = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((at, name) => objectOf(at)[name], value);

const ORDINARY = new Set<unknown>(['default', 'auto', 'standard_only']);

/** Returns the tier that a request asks for. Google's words for tiers may be in capitals. */
export const tierIn = ({ service_tier, serviceTier }: JsonObject): unknown =>
  service_tier ?? textOf(serviceTier)?.toLowerCase();

/**
 * Returns the word for one tier.
 * Returns undefined if no vendor has the tier, so its refusal says nothing about others.
 */
export const tierWord = (tier: unknown): string | undefined =>
  tierPrice(tier) === undefined ? undefined : `service_tier:${tier}`;

/** Returns the word that refuses a tier. */
function refusedTier(tier: unknown, refuses: ReadonlySet<string>): string | undefined {
  if (typeof tier !== 'string') return undefined;
  if (refuses.has(`service_tier:${tier}`)) return `service_tier:${tier}`;
  return refuses.has('service_tier') && !ORDINARY.has(tier) ? 'service_tier' : undefined;
}

/**
 * Replaces a budget of thinking tokens with the nearest effort.
 * An effort of the request's own has precedence.
 */
function withoutBudget(request: CanonicalRequest): CanonicalRequest | undefined {
  const { thinking } = request;
  if (thinking?.budgetTokens === undefined) return undefined;
  const { budgetTokens, ...rest } = thinking;
  const mode = rest.mode === 'enabled' ? 'adaptive' : rest.mode;
  return {
    ...request,
    thinking: { ...rest, mode, effort: rest.effort ?? effortOfBudget(budgetTokens) },
  };
}

/** Does the same in the text of the two dialects with a budget. */
function withEffort(body: JsonBody): JsonBody {
  const path = ofConfig('thinkingConfig');
  const { thinkingBudget, thinkingLevel } = objectOf(memberAt(body.value, path));
  if (typeof thinkingBudget !== 'number' || thinkingBudget <= 0) return withOwnEffort(body);
  const left = removePaths(body, [[...path, 'thinkingBudget']]);
  return thinkingLevel == null
    ? setMembers(left, path, { thinkingLevel: effortOfBudget(thinkingBudget) })
    : left;
}

function withOwnEffort(body: JsonBody): JsonBody {
  const thinking = objectOf(body.value['thinking']);
  const { budget_tokens: budget, ...rest } = thinking;
  if (typeof budget !== 'number') return body;
  const value = { ...rest, type: 'adaptive' };
  const text = patchJson(body.text, membersOf(body.text), { thinking: JSON.stringify(value) });
  const changed = knownBody(text, { ...body.value, thinking: value });
  const { effort, ...others } = objectOf(body.value['output_config']);
  if (effort != null) return changed;
  if (body.value['output_config'] == null) {
    const output_config = { ...others, effort: effortOfBudget(budget) };
    const patch = { output_config: JSON.stringify(output_config) };
    return knownBody(patchJson(changed.text, membersOf(changed.text), patch), {
      ...changed.value,
      output_config,
    });
  }
  return setMembers(changed, ['output_config'], { effort: effortOfBudget(budget) });
}

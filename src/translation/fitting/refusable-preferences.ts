import type { JsonObject } from '../../base/json/json-body.ts';
import { objectOf } from '../../base/json/read-json.ts';
import { valueAt } from '../../base/json/value-at.ts';
import { isObject } from '../../base/lib/is-object.ts';
import { entriesOf } from '../../base/lib/records.ts';
import type { Path } from '../../base/schema/format-path.ts';
import type { LossCode } from '../canonical/loss.ts';
import type { RefusedPreference } from '../canonical/refused-word.ts';
import type { CanonicalRequest, Sampling } from '../canonical/request.ts';
import { refusedTier, tierIn } from './service-tier-words.ts';

/** The words with a row here. The others stand for several of these, or are refused elsewhere. */
type PreferenceWord = Exclude<RefusedPreference, 'sampling' | 'stop' | 'thinking_budget'>;

/** The place of a preference in a canonical request. */
type PreferenceInRequest = {
  /** Returns its value. */
  value(request: CanonicalRequest): unknown;
  /** Returns the request without it. */
  drop(request: CanonicalRequest): CanonicalRequest;
};

/** A preference that a target can refuse, with its places in the two forms of a request. */
export type Preference = PreferenceInRequest & {
  /** The word of a `refuses` list that refuses it. */
  word: PreferenceWord;
  loss: LossCode;
  /** The paths at which the dialects have it. */
  members: readonly Path[];
  /** Returns its value in the client's own text. The default is the first member that is set. */
  textValue?: (body: JsonObject) => unknown;
  /** This one is refused only in a request that also has this preference. */
  refusedWith?: Preference;
  /** Returns the word that refuses a value. The default is the preference's own word. */
  refusingWord?: (value: unknown, refuses: ReadonlySet<string>) => string | undefined;
};

/** Returns the path of a member in Google's dialect. */
const inConfig = (name: string): Path => ['generationConfig', name];

/** Returns the path of a member in the Interactions API. */
const inOptions = (name: string): Path => ['generation_config', name];

/** Describes a preference that is one or several members of the sampling. */
const ofSampling = (...names: (keyof Sampling)[]): PreferenceInRequest => ({
  value: ({ sampling }) => names.map((name) => sampling[name]).find((value) => value !== undefined),
  drop: (request) => {
    const sampling = { ...request.sampling };
    for (const name of names) delete sampling[name];
    return { ...request, sampling };
  },
});

/** Describes a field that only its own protocol has, which a translation to the same protocol keeps. */
const ofOwnFields = (field: string): PreferenceInRequest => ({
  value: ({ opaque = [] }) => opaque.some(({ block }) => isObject(block) && field in block) || undefined,
  drop: (request) => ({
    ...request,
    opaque: (request.opaque ?? []).map((part) => {
      const { [field]: _dropped, ...block } = objectOf(part.block);
      return isObject(part.block) ? { ...part, block } : part;
    }),
  }),
});

const temperature: Preference = {
  word: 'temperature',
  loss: 'sampling',
  members: [['temperature'], inConfig('temperature'), inOptions('temperature')],
  ...ofSampling('temperature'),
};

const topP: Omit<Preference, 'word'> = {
  loss: 'sampling',
  members: [['top_p'], inConfig('topP'), inOptions('top_p')],
  ...ofSampling('topP'),
};

const byWord: Readonly<Record<PreferenceWord, Omit<Preference, 'word'>>> = {
  temperature,
  top_p: topP,
  top_p_with_temperature: { refusedWith: temperature, ...topP },
  top_k: { loss: 'top-k', members: [['top_k'], inConfig('topK')], ...ofSampling('topK') },
  penalties: {
    loss: 'penalty',
    // biome-ignore format: a line for each group
    members: [
      ['presence_penalty'], ['frequency_penalty'], ['repetition_penalty'],
      inConfig('presencePenalty'), inConfig('frequencyPenalty'),
    ],
    ...ofSampling('presencePenalty', 'frequencyPenalty'),
  },
  seed: {
    loss: 'seed',
    members: [['seed'], ['random_seed'], inConfig('seed'), inOptions('seed')],
    ...ofSampling('seed'),
  },
  logit_bias: { loss: 'logit-bias', members: [['logit_bias']], ...ofOwnFields('logit_bias') },
  verbosity: {
    loss: 'verbosity',
    members: [['verbosity'], ['text', 'verbosity']],
    value: ({ verbosity }) => verbosity,
    drop: ({ verbosity: _dropped, ...request }) => request,
  },
  parallel_tool_calls: {
    loss: 'parallel-tool-calls',
    members: [['parallel_tool_calls'], ['tool_choice', 'disable_parallel_tool_use']],
    value: ({ parallelToolCalls }) => parallelToolCalls,
    drop: ({ parallelToolCalls: _dropped, ...request }) => request,
  },
  service_tier: {
    loss: 'service-tier',
    members: [['service_tier'], ['serviceTier']],
    textValue: tierIn,
    value: ({ hints }) => hints.serviceTier,
    drop: (request) => {
      const { serviceTier: _dropped, ...hints } = request.hints;
      return { ...request, hints };
    },
    refusingWord: refusedTier,
  },
};

/** The preferences, in the order in which they are dropped. */
export const refusablePreferences: readonly Preference[] = entriesOf(byWord).map(
  ([word, preference]): Preference => ({ ...preference, word }),
);

/** Returns the value of a preference in the client's own text. A member can be sent as `null`. */
export function textValueOf({ members, textValue }: Preference, body: JsonObject): unknown {
  if (textValue) return textValue(body);
  const values = members.map((path) => valueAt(body, path)).filter((value) => value !== undefined);
  return values.find((value) => value !== null) ?? values[0];
}

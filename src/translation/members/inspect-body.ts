import type { JsonObject } from '../../base/json/json-body.ts';
import { listOf } from '../../base/json/read-json.ts';
import { isObject } from '../../base/lib/is-object.ts';
import type { Extra } from '../canonical/extra.ts';
import type { LossCode } from '../canonical/loss.ts';
import type { PriceName } from '../canonical/price-name.ts';
import { reservedMembers } from '../canonical/reserved-field.ts';
import { ORDINARY_TIERS, tierPrice } from '../canonical/service-tiers.ts';
import { foldName } from './fold-name.ts';
import { inspectPart, inspectTools, lifetime } from './inspect-parts.ts';
import { Inspection } from './inspection.ts';
import { pricedBeta } from './priced-betas.ts';

/** Inspects the value of a body member. The function is null if the member is known and harmless. */
export type MemberRule = ((value: unknown, inspection: Inspection) => void) | null;

type Preference = {
  extra: Extra;
  loss: LossCode;
  defaults: ReadonlySet<unknown>;
  price?: (value: unknown) => PriceName | undefined;
};

const preference =
  ({ extra, loss, defaults, price }: Preference): MemberRule =>
  (value, inspection) => {
    if (defaults.has(value)) return;
    inspection.note({ kind: 'preference', extra, loss, price: price?.(value), path: inspection.path() });
  };

type Requirement = {
  extra: Extra;
  price?: (value: unknown) => PriceName;
  isWanted: (value: unknown, body: JsonObject) => boolean;
};

const requirement =
  ({ extra, price, isWanted }: Requirement): MemberRule =>
  (value, inspection) => {
    if (!isWanted(value, inspection.body)) return;
    inspection.note({ kind: 'requirement', extra, price: price?.(value), path: inspection.path() });
  };

const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0;

const reservedRules = Object.fromEntries(
  reservedMembers.map((field): [string, MemberRule] => [
    field,
    (value, inspection) => {
      if (!isEmpty(value)) inspection.reserve(field);
    },
  ]),
);

const speed: NonNullable<MemberRule> = preference({
  extra: 'speed',
  loss: 'speed',
  defaults: new Set(['standard']),
  price: (value) => (value === 'fast' ? 'fast' : undefined),
})!;

/** Inspects fallbacks, each of which can have its own speed with its own price. */
const fallbacks: MemberRule = (value, inspection) => {
  reservedRules['fallbacks']!(value, inspection);
  for (const [index, fallback] of listOf(value).entries()) {
    if (!isObject(fallback) || fallback.speed == null) continue;
    inspection.steps.push(index, 'speed');
    speed(fallback.speed, inspection);
    inspection.steps.pop();
    inspection.steps.pop();
  }
};

/** An object refers to a prompt that the vendor stores. A text or a list belongs to the request itself. */
const storedPrompt: MemberRule = (value, inspection) => {
  if (isObject(value)) inspection.reserve('prompt.id', 'id');
};

const cacheOptions: MemberRule = (value, inspection) => {
  if (!isObject(value) || value.ttl == null || value.ttl === '30m') return;
  const path = inspection.path('ttl');
  inspection.note({
    kind: 'preference',
    extra: 'prompt_cache_options.ttl',
    loss: 'cache-retention',
    price: value.ttl === '12h' ? 'cache_write_12h' : undefined,
    path,
  });
};

const isMoreThanAsked = (best: unknown, { n }: JsonObject): boolean =>
  typeof best === 'number' && best > (typeof n === 'number' ? n : 1);

/** Makes a rule for the model's own search, which vendors name differently. */
const search = (isWanted: Requirement['isWanted']): MemberRule =>
  requirement({ extra: 'web_search', price: () => 'web_search', isWanted });

/** Beta names, which hosts of another cloud take in the body and the vendor takes in a header. */
const betas: MemberRule = (value, inspection) => {
  for (const [index, word] of listOf(value).entries()) {
    const priced = typeof word === 'string' ? pricedBeta(word.trim()) : undefined;
    if (!priced) continue;
    const { extra, loss, price } = priced;
    inspection.note({ kind: 'preference', extra, loss, price, path: inspection.path(index) });
  }
};

/**
 * Members of every vendor, checked in all dialects. A host may understand more members than its protocol has.
 */
const watched: Readonly<Record<string, MemberRule>> = {
  ...reservedRules,
  prompt: storedPrompt,
  betas,
  anthropic_beta: betas,
  service_tier: preference({
    extra: 'service_tier',
    loss: 'service-tier',
    defaults: ORDINARY_TIERS,
    price: tierPrice,
  }),
  fallbacks,
  speed,
  prompt_cache_retention: preference({
    extra: 'prompt_cache_retention',
    loss: 'cache-retention',
    defaults: new Set(['in_memory', 'in-memory']),
  }),
  prompt_cache_options: cacheOptions,
  cache_control: lifetime,
  inference_geo: requirement({
    extra: 'inference_geo',
    price: () => 'inference_geo',
    isWanted: (value) => value !== 'global',
  }),
  modalities: requirement({
    extra: 'modalities',
    price: (value) => (listOf(value).includes('image') ? 'image_generation' : 'audio_output'),
    isWanted: (value) => listOf(value).some((word) => word !== 'text'),
  }),
  // The vendor's own agents write output beyond the request's ceiling.
  multi_agent: requirement({
    extra: 'multi_agent',
    isWanted: (value) => !isObject(value) || value.enabled !== false,
  }),
  best_of: requirement({ extra: 'best_of', isWanted: isMoreThanAsked }),
  web_search_options: search(() => true),
  search_parameters: search((value) => !isObject(value) || value.mode !== 'off'),
  enable_search: search((value) => value !== false),
};

/** The members that hold the conversation and the tools. */
const places = {
  messages: inspectPart,
  contents: inspectPart,
  systemInstruction: inspectPart,
  system: inspectPart,
  input: inspectPart,
  images: inspectPart,
  mask: inspectPart,
  tools: inspectTools,
} satisfies Record<string, MemberRule>;

/** Members of other protocols. Nearly every host serves several protocols and may understand them. */
const elsewhere: ReadonlySet<string> = new Set([
  ...['audio', 'background', 'dimensions', 'echo', 'encoding_format', 'format', 'frequency_penalty'],
  ...[
    'function_call',
    'functions',
    'include',
    'input',
    'instructions',
    'keep_alive',
    'logit_bias',
    'logprobs',
  ],
  ...['max_completion_tokens', 'max_output_tokens', 'max_tokens', 'max_tool_calls', 'messages', 'metadata'],
  ...['model', 'n', 'options', 'output_config', 'parallel_tool_calls', 'prediction', 'presence_penalty'],
  ...['previous_response_id', 'prompt', 'prompt_cache_key', 'reasoning', 'reasoning_effort'],
  ...['response_format', 'safety_identifier', 'seed', 'stop', 'stop_sequences', 'store', 'stream'],
  ...['stream_options', 'suffix', 'system', 'temperature', 'text', 'think', 'thinking', 'tool_choice'],
  ...['tools', 'top_k', 'top_logprobs', 'top_p', 'truncation', 'user', 'verbosity'],
]);

/**
 * Names of the output ceiling in any protocol or server. A name that is not the dialect's own is dropped,
 * since the credit is held for the dialect's own ceiling, and some servers prefer the other name.
 */
// biome-ignore format: a line for each group
const ceilings: readonly string[] = [
  'max_new_tokens', 'max_output_tokens', 'max_completion_tokens', 'max_tokens_to_sample',
  'max_tokens', 'maxOutputTokens', 'num_predict',
];

export type InspectBody = (
  body: JsonObject,
) => Pick<Inspection, 'findings' | 'tools' | 'unknown' | 'vendorRun'>;

const NOTHING = { findings: [], tools: 0, unknown: undefined, vendorRun: undefined };

/** Returns the name before brackets, since some readers of forms read `a[b]` as a member of `a`. */
const rootOf = (folded: string): string =>
  folded.includes('[') ? folded.replace(/(?<=.)\[.*$/s, '') : folded;

type Meanings = {
  /** Watched names that mean something harmless in this dialect. */
  own?: readonly string[];
  /** Names in other servers of what this dialect holds credit for. They are dropped. */
  foreign?: readonly string[];
  /** Rules that only this dialect has. */
  rules?: Readonly<Record<string, MemberRule>>;
};

type Schema = { properties: Readonly<Record<string, unknown>> };

/**
 * Creates the inspection of a dialect's bodies: members by name, and the contents of
 * the places that the dialect has.
 */
export function createInspection(
  { properties }: Schema,
  within: readonly (keyof typeof places)[],
  { own = [], foreign = [], rules: more = {} }: Meanings = {},
): InspectBody {
  // The object has no prototype, since clients choose member names freely. A look-up in a map costs three
  // times as much.
  const rules: Readonly<Record<string, MemberRule>> = Object.assign(
    Object.create(null),
    Object.fromEntries(Object.keys(properties).map((name) => [name, null])),
    watched,
    Object.fromEntries(within.map((name) => [name, places[name]])),
    Object.fromEntries(own.map((name) => [name, null])),
    more,
  );
  const folded = new Set([...Object.keys(rules), ...elsewhere, ...ceilings, ...foreign].map(foldName));
  const passing = new Set([...elsewhere].filter((name) => !ceilings.includes(name)));
  const isForeign = (name: string) => folded.has(rootOf(foldName(name))) && !passing.has(name);
  return (body) => {
    let inspection: Inspection | undefined;
    for (const name of Object.keys(body)) {
      const rule = rules[name];
      if (rule === null || (rule === undefined && !isForeign(name))) continue;
      const value = body[name];
      if (rule && value == null) continue;
      inspection ??= new Inspection(body);
      if (rule === undefined) inspection.note({ kind: 'foreign', path: [name] });
      else {
        inspection.steps.push(name);
        rule(value, inspection);
        inspection.steps.pop();
      }
    }
    return inspection ?? NOTHING;
  };
}

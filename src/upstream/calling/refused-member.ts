import type { UpstreamError } from '../../base/errors/upstream-error.ts';
import { lookUp } from '../../base/lib/records.ts';
import type { RefusedPreference } from '../../translation/canonical/refused-word.ts';

/** The preferences that the gateway can leave out, by the members that name them on the wires. */
const wordOf: Readonly<Record<string, RefusedPreference>> = {
  temperature: 'temperature',
  top_p: 'top_p',
  topP: 'top_p',
  top_k: 'top_k',
  topK: 'top_k',
  presence_penalty: 'penalties',
  frequency_penalty: 'penalties',
  repetition_penalty: 'penalties',
  presencePenalty: 'penalties',
  frequencyPenalty: 'penalties',
  seed: 'seed',
  random_seed: 'seed',
  logit_bias: 'logit_bias',
  verbosity: 'verbosity',
  'text.verbosity': 'verbosity',
  parallel_tool_calls: 'parallel_tool_calls',
  'tool_choice.disable_parallel_tool_use': 'parallel_tool_calls',
  service_tier: 'service_tier',
  serviceTier: 'service_tier',
  stop: 'stop',
  stop_sequences: 'stop',
  stopSequences: 'stop',
  'thinking.budget_tokens': 'thinking_budget',
  'thinking.type.enabled': 'thinking_budget',
  thinkingBudget: 'thinking_budget',
  thinking_budget: 'thinking_budget',
};

/** The objects in which some wires have these members. */
const HOLDERS =
  /^(body|generation_?config|generationConfig|inferenceConfig|additionalModelRequestFields|thinking_?config|thinkingConfig)\./i;

const NAMES = Object.keys(wordOf)
  .toSorted((one, other) => other.length - one.length)
  .map((name) => name.replaceAll('.', '\\.'))
  .join('|');
const QUOTED = `['"\`]?(?<name>(?:[A-Za-z_]+\\.)*?(?:${NAMES}))['"\`]?`;
const REFUSED =
  '(?:unsupported|deprecated|unknown|unrecognized|(?:is |are |does )?not (?:supported|permitted|allowed|available)|extra (?:inputs|fields) (?:are )?not (?:permitted|allowed))';

/**
 * A refusal begins with the member, or names it after the kind of the refusal.
 * A text that quotes a request further on does not match.
 */
const REFUSALS = [
  new RegExp(`^${QUOTED}(?::| (?:parameter|field|value))? ?(?:is|are|was)? ?${REFUSED}\\b`, 'i'),
  new RegExp(
    `^(?:unsupported|unknown|unrecognized|unexpected|unpermitted) (?:parameter|argument|field|name|key|request argument(?: supplied)?|value)s?:? ${QUOTED}(?![\\w.])`,
    'i',
  ),
  new RegExp(`^Invalid JSON payload received\\. Unknown name ${QUOTED}`, 'i'),
  new RegExp(
    `^(?:Argument not supported on this model: |Model \\S{1,100} does not support parameter )${QUOTED}`,
    'i',
  ),
  new RegExp(`^Malformed input request: #: extraneous key \\[${QUOTED}\\] is not permitted`, 'i'),
  // Only the default is left: https://platform.kimi.ai/docs/api/models-overview.
  new RegExp(`^invalid ${QUOTED}: only [\\d.]+ is allowed for this model`, 'i'),
];
/** Two members of which only one may be sent. */
const NOT_BOTH = /^`?temperature`? and `?top_p`? cannot both be specified/i;
/** A value that is refused, unless only the default is left. */
const OF_A_VALUE = /^unsupported value/i;
const ONLY_DEFAULT = /only the default|does not support .{1,60}with this model\. only/i;
const CODES = new Set<string | null>([
  'unsupported_parameter',
  'unknown_parameter',
  'unrecognized_parameter',
]);

/**
 * Returns the word of the member that an upstream's 400 or 422 refuses as such. Returns undefined if the
 * error refuses something else, for example the member's value.
 */
export function refusedMember({
  status,
  code,
  message,
  param,
}: UpstreamError): RefusedPreference | undefined {
  if (status !== 400 && status !== 422) return undefined;
  const text = plainMessage(message ?? '');
  if (OF_A_VALUE.test(text) && !ONLY_DEFAULT.test(text)) return undefined;
  if (NOT_BOTH.test(text)) return 'top_p_with_temperature';
  const name = REFUSALS.map((pattern) => pattern.exec(text)?.groups?.['name']).find(Boolean);
  const wordInText = name === undefined ? undefined : wordFor(name);
  if (param === null) return wordInText;
  const word = wordFor(param);
  return CODES.has(code) || word === wordInText ? word : undefined;
}

/** Returns the word of a member, whose name may begin with one or two of the objects that hold it. */
const wordFor = (name: string): RefusedPreference | undefined =>
  lookUp(wordOf, name.replace(HOLDERS, '').replace(HOLDERS, ''));

const WRAPPED = /^The model returned the following errors: /;

/** Removes the words and the envelope in which a host passes on the error of a model's maker. */
function plainMessage(message: string): string {
  const inner = message.trim().replace(WRAPPED, '');
  if (!inner.startsWith('{')) return inner;
  try {
    const { error, message: own } = JSON.parse(inner) as { error?: { message?: unknown }; message?: unknown };
    return String(error?.message ?? own ?? '');
  } catch {
    return inner;
  }
}

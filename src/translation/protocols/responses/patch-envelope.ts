import type { JsonObject } from '../../../base/json/json-body.ts';
import { type JsonPatch, patchKnown } from '../../../base/json/patch-json.ts';
import { listOf, objectOf } from '../../../base/json/read-json.ts';
import { sliceJson } from '../../../base/json/slice-json.ts';
import { isObject } from '../../../base/lib/is-object.ts';
import type { Usage } from '../../canonical/usage.ts';
import type { AnswerLabel } from '../../contract/answer-label.ts';
import type { FinishedAnswer } from '../../contract/codec.ts';
import { jsonString } from '../../framing/json-string.ts';
import { encodeEnvelope, settingDefaults } from './envelope.ts';
import type { DoneItem } from './output-so-far.ts';
import { patchOutput, type ReasoningView } from './patch-item.ts';
import { decodeUsage, encodeUsage } from './usage.ts';
import { isKept } from './view.ts';

/** The values in the client's envelopes that replace the upstream's. */
export type EnvelopeTerms = {
  /** The items that the stream has sent. Some hosts omit them in the last event. */
  done?: readonly DoneItem[];
  label: AnswerLabel;
  requestBody: JsonObject;
  view: ReasoningView;
  /** The billed usage, final or so far. */
  usage?: Usage;
};

const endings = new Set(['completed', 'incomplete']);

/**
 * Patches a response object's own text: sets the gateway's labels and removes
 * what the client did not ask for.
 */
export function patchEnvelope(text: string, response: JsonObject, terms: EnvelopeTerms): FinishedAnswer {
  const { label, requestBody, view, done = [] } = terms;
  const isOver = endings.has(String(response.status ?? 'completed'));
  const listed = listOf(response.output);
  const isMissing = isOver && listed.length === 0 && done.length > 0;
  const items = isMissing ? listText(done.map(({ text }) => text)) : (sliceJson(text, ['output']) ?? '[]');
  const output = isMissing ? listText(done.map(({ shown }) => shown)) : patchOutput(items, listed, view);
  const envelope = patchKnown(text, response, {
    id: jsonString(label.id),
    model: jsonString(label.model),
    store: String(isKept(requestBody)),
    previous_response_id: JSON.stringify(requestBody.previous_response_id ?? null),
    provider: null,
    ...(label.echo && textsOf(label.echo)),
    output,
    usage: isOver || terms.usage?.isImplausible ? completeUsage(response.usage, terms.usage) : undefined,
    ...missingMembers(response, requestBody),
  });
  return { envelope, items };
}

/** The members that every response has, apart from those that the gateway sets itself. */
const requiredMembers = [
  'access_programs',
  'created_at',
  'completed_at',
  'background',
  'error',
  'incomplete_details',
  'instructions',
  'max_output_tokens',
  'max_tool_calls',
  'metadata',
  'parallel_tool_calls',
  'prompt_cache_key',
  'reasoning',
  'safety_identifier',
  'text',
  'tool_choice',
  'tools',
  'top_logprobs',
  'truncation',
  ...Object.keys(settingDefaults),
];

/** Returns members that the host has omitted. Members with a value stay as the host sent them. */
function missingMembers(response: JsonObject, requestBody: JsonObject): JsonPatch | undefined {
  const isCompleted = response.status === 'completed';
  const needsValue = (name: string) => name in settingDefaults || (isCompleted && name === 'completed_at');
  const missing = requiredMembers.filter(
    (name) => response[name] === undefined || (response[name] === null && needsValue(name)),
  );
  if (missing.length === 0) return undefined;
  const createdAt = Number(response.created_at) || Math.floor(Date.now() / 1_000);
  const head = { responseId: '', model: '', createdAt, body: { value: requestBody } };
  const status = isCompleted ? 'completed' : 'in_progress';
  const whole: JsonObject = encodeEnvelope(head, { status, output: [], outputText: '' });
  return Object.fromEntries(missing.map((name) => [name, JSON.stringify(whole[name])]));
}

const textsOf = (members: Readonly<Record<string, unknown>>): JsonPatch =>
  Object.fromEntries(Object.entries(members).map(([name, value]) => [name, JSON.stringify(value)]));

const listText = (texts: readonly string[]): string => `[${texts.join(',')}]`;

/**
 * Returns the usage with every required count, unknown ones as zero. Returns undefined if the host's usage is
 * complete and equals the billed usage.
 */
function completeUsage(value: unknown, billed = decodeUsage(value)): string | undefined {
  const whole = encodeUsage(billed);
  if (billed?.isEstimated) return JSON.stringify(whole);
  const usage = objectOf(value);
  const { input_tokens_details: input, output_tokens_details: output } = usage;
  const isComplete =
    isObject(input) && isObject(output) && hasAll({ ...usage, ...input, ...output }, flatCounts(whole));
  if (isComplete) return undefined;
  return JSON.stringify({
    ...usage,
    ...whole,
    input_tokens_details: { ...objectOf(input), ...whole.input_tokens_details },
    output_tokens_details: { ...objectOf(output), ...whole.output_tokens_details },
  });
}

const flatCounts = ({
  input_tokens_details,
  output_tokens_details,
  ...totals
}: ReturnType<typeof encodeUsage>) => ({
  ...totals,
  ...input_tokens_details,
  ...output_tokens_details,
});

const hasAll = (usage: JsonObject, counts: Readonly<Record<string, number>>): boolean =>
  Object.entries(counts).every(([name, count]) => usage[name] === count);

import type { JsonObject } from '../../../base/json/json-body.ts';
import { jsonList } from '../../../base/json/json-list.ts';
import { type JsonPatch, patchKnown } from '../../../base/json/patch-json.ts';
import { listOf, objectOf } from '../../../base/json/read-json.ts';
import { sliceJson } from '../../../base/json/slice-json.ts';
import { isObject } from '../../../base/lib/is-object.ts';
import { keysOf } from '../../../base/lib/records.ts';
import { unixSeconds } from '../../../base/lib/unix-seconds.ts';
import type { Usage } from '../../canonical/usage.ts';
import type { AnswerLabel } from '../../contract/answer-label.ts';
import type { FinishedAnswer } from '../../contract/codec.ts';
import { jsonString } from '../../framing/json-string.ts';
import { encodeEnvelope, type ResponseObject, settingDefaults } from './envelope.ts';
import type { DoneItem } from './output-so-far.ts';
import { patchOutput, type ReasoningView } from './patch-item.ts';
import { decodeUsage, encodeUsage } from './usage.ts';
import { isKept } from './view.ts';

/** The facts of a request that decide what its client sees of a response object. */
export type EnvelopeTerms = { label: AnswerLabel; requestBody: JsonObject; view: ReasoningView };

/** A response object's own text and its parsed value. */
type SentResponse = { text: string; value: JsonObject };

/** The facts about an answer that its response object may lack. */
type AnswerFacts = {
  /** The items that the stream has sent. Some hosts omit them in the last event. */
  done?: readonly DoneItem[];
  /** The billed usage, final or so far. */
  usage: Usage | undefined;
};

const endings = new Set(['completed', 'incomplete']);

/**
 * Patches a response object's own text: sets the gateway's labels and removes
 * what the client did not ask for.
 */
export function patchEnvelope(
  { text, value: response }: SentResponse,
  { label, requestBody, view }: EnvelopeTerms,
  { done = [], usage }: AnswerFacts,
): FinishedAnswer {
  const isOver = endings.has(String(response.status ?? 'completed'));
  const listed = listOf(response.output);
  const isMissing = isOver && listed.length === 0 && done.length > 0;
  const items = isMissing ? jsonList(done.map(({ text }) => text)) : (sliceJson(text, ['output']) ?? '[]');
  const output = isMissing ? jsonList(done.map(({ shown }) => shown)) : patchOutput(items, listed, view);
  const envelope = patchKnown(text, response, {
    id: jsonString(label.id),
    model: jsonString(label.model),
    store: String(isKept(requestBody)),
    previous_response_id: JSON.stringify(requestBody.previous_response_id ?? null),
    provider: null,
    ...(label.echo && textsOf(label.echo)),
    output,
    usage: isOver || usage?.isImplausible ? completeUsage(response.usage, usage) : undefined,
    ...missingMembers(response, requestBody),
  });
  return { envelope, items };
}

/** The members that the gateway sets itself, that every host sends, or that need not be there. */
type OtherMember =
  | 'id'
  | 'object'
  | 'model'
  | 'status'
  | 'store'
  | 'previous_response_id'
  | 'output'
  | 'output_text'
  | 'usage'
  | 'user';

/** The members that every response has. Hosts omit some of them. */
const requiredMembers = keysOf({
  access_programs: true,
  created_at: true,
  completed_at: true,
  background: true,
  error: true,
  incomplete_details: true,
  instructions: true,
  max_output_tokens: true,
  max_tool_calls: true,
  metadata: true,
  parallel_tool_calls: true,
  prompt_cache_key: true,
  reasoning: true,
  safety_identifier: true,
  text: true,
  tool_choice: true,
  tools: true,
  top_logprobs: true,
  truncation: true,
  ...settingDefaults,
} satisfies Record<Exclude<keyof ResponseObject, OtherMember>, unknown>);

/** Returns members that the host has omitted. Members with a value stay as the host sent them. */
function missingMembers(response: JsonObject, requestBody: JsonObject): JsonPatch | undefined {
  const isCompleted = response.status === 'completed';
  const needsValue = (name: string) => name in settingDefaults || (isCompleted && name === 'completed_at');
  const missing = requiredMembers.filter(
    (name) => response[name] === undefined || (response[name] === null && needsValue(name)),
  );
  if (missing.length === 0) return undefined;
  const createdAt = Number(response.created_at) || unixSeconds();
  const head = { responseId: '', model: '', createdAt, body: { value: requestBody } };
  const status = isCompleted ? 'completed' : 'in_progress';
  const whole = encodeEnvelope(head, { status, output: [], outputText: '' });
  return Object.fromEntries(missing.map((name) => [name, JSON.stringify(whole[name])]));
}

const textsOf = (members: Readonly<Record<string, unknown>>): JsonPatch =>
  Object.fromEntries(Object.entries(members).map(([name, value]) => [name, JSON.stringify(value)]));

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

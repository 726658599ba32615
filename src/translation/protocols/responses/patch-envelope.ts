import type { JsonObject } from '../../../base/json/json-body.ts';
import { jsonList } from '../../../base/json/json-list.ts';
import { type JsonPatch, patchKnown } from '../../../base/json/patch-json.ts';
import { listOf, textOf } from '../../../base/json/read-json.ts';
import { sliceJson } from '../../../base/json/slice-json.ts';
import type { Usage } from '../../canonical/usage.ts';
import type { AnswerLabel } from '../../contract/answer-label.ts';
import type { FinishedAnswer } from '../../contract/finished-answer.ts';
import { jsonString } from '../../framing/json-string.ts';
import { isKept } from '../is-kept.ts';
import { fullUsage } from './full-usage.ts';
import { missingMembers } from './missing-members.ts';
import type { DoneItem } from './output-so-far.ts';
import { patchOutput, type ReasoningView } from './patch-item.ts';

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
 * Patches a response object's own text: sets the gateway's labels and removes what the client did not ask
 * for.
 */
export function patchEnvelope(
  { text, value: response }: SentResponse,
  { label, requestBody, view }: EnvelopeTerms,
  { done = [], usage }: AnswerFacts,
): FinishedAnswer {
  const isOver = endings.has(textOf(response.status) ?? 'completed');
  const listed = listOf(response.output);
  const isMissing = isOver && listed.length === 0 && done.length > 0;
  const items = isMissing ? jsonList(done.map(({ text }) => text)) : (sliceJson(text, ['output']) ?? '[]');
  const output = isMissing
    ? jsonList(done.map(({ shown }) => shown))
    : (patchOutput({ text: items, items: listed, status: response.status }, view) ?? missingList(response));
  const envelope = patchKnown(text, response, {
    id: jsonString(label.id),
    model: jsonString(label.model),
    store: String(isKept(requestBody)),
    previous_response_id: JSON.stringify(requestBody.previous_response_id ?? null),
    provider: null,
    ...(label.echo && textsOf(label.echo)),
    output,
    usage: isOver || usage?.isImplausible ? fullUsage(response.usage, usage) : undefined,
    ...missingMembers(response, requestBody),
  });
  return { envelope, items };
}

const missingList = ({ output }: JsonObject): string | undefined =>
  Array.isArray(output) ? undefined : '[]';

const textsOf = (members: Readonly<Record<string, unknown>>): JsonPatch =>
  Object.fromEntries(Object.entries(members).map(([name, value]) => [name, JSON.stringify(value)]));

import type { Usage } from '../../canonical/usage.ts';
import type { JsonObject } from '../../http/json-body.ts';
import type { FinishedAnswer } from '../codec.ts';
import type { AnswerLabel } from '../dialect.ts';
import { jsonString } from '../json-string.ts';
import { patchKnown } from '../patch-json.ts';
import { isObject, listOf, objectOf } from '../read-json.ts';
import { sliceJson } from '../slice-json.ts';
import type { DoneItem } from './output-so-far.ts';
import { patchOutput, type ReasoningView } from './patch-item.ts';
import { decodeUsage, encodeUsage } from './usage.ts';
import { isKept } from './view.ts';

/** What the client's envelopes say in place of what the upstream's do. */
export type EnvelopeTerms = {
  /** The items that a stream has told of: some hosts leave them out of its last event. */
  done?: readonly DoneItem[];
  label: AnswerLabel;
  asked: JsonObject;
  view: ReasoningView;
  /** Of an answer that is over. */
  usage?: Usage;
};

const endings = new Set(['completed', 'incomplete']);

/** A response object's own text with our labels and without what the client did not ask for. */
export function patchEnvelope(text: string, response: JsonObject, terms: EnvelopeTerms): FinishedAnswer {
  const { label, asked, view, done = [] } = terms;
  const isOver = endings.has(String(response.status ?? 'completed'));
  const told = listOf(response.output);
  const isUntold = isOver && told.length === 0 && done.length > 0;
  const items = isUntold ? listText(done.map(({ text }) => text)) : (sliceJson(text, ['output']) ?? '[]');
  const output = isUntold ? listText(done.map(({ shown }) => shown)) : patchOutput(items, told, view);
  const envelope = patchKnown(text, response, {
    id: jsonString(label.id),
    model: jsonString(label.model),
    store: String(isKept(asked)),
    previous_response_id: JSON.stringify(asked.previous_response_id ?? null),
    provider: null,
    output,
    usage: isOver ? completeUsage(response.usage, terms.usage) : undefined,
  });
  return { envelope, items };
}

const listText = (texts: readonly string[]): string => `[${texts.join(',')}]`;

/** Every count that clients were promised, zero where nobody knows it. What we counted ourselves stands in place of what the host says. */
function completeUsage(value: unknown, counted: Usage | undefined): string | undefined {
  if (counted?.isEstimated) return JSON.stringify(encodeUsage(counted));
  const usage = objectOf(value);
  const { input_tokens_details: input, output_tokens_details: output } = usage;
  const isWhole =
    isObject(input) &&
    isObject(output) &&
    'total_tokens' in usage &&
    'cached_tokens' in input &&
    'cache_write_tokens' in input &&
    'reasoning_tokens' in output;
  if (isWhole) return undefined;
  const whole = encodeUsage(decodeUsage(value));
  return JSON.stringify({
    ...whole,
    ...usage,
    input_tokens_details: { ...whole.input_tokens_details, ...objectOf(input) },
    output_tokens_details: { ...whole.output_tokens_details, ...objectOf(output) },
  });
}

import { errorEnvelope } from '../../../base/errors/envelope.ts';
import type { Refusal } from '../../../base/errors/refusal.ts';
import type { JsonObject } from '../../../base/json/json-body.ts';
import { membersOf, patchJson } from '../../../base/json/patch-json.ts';
import { objectOf, parseObject, textOf } from '../../../base/json/read-json.ts';
import { isObject } from '../../../base/lib/is-object.ts';
import { answerTextIn } from '../../canonical/answer-text-in.ts';
import { CountedText } from '../../canonical/counted-text.ts';
import { billedUsage, estimateUsage, usageOfWhole } from '../../canonical/estimate-usage.ts';
import { laterUsage, type Usage } from '../../canonical/usage.ts';
import type { Frame } from '../../contract/codec.ts';
import type { FrameMeaning, FrameReader } from '../../contract/frame-reader.ts';
import { RefusedAnswer } from '../../contract/refused-answer.ts';
import { asOneLine } from '../../framing/as-one-line.ts';
import { eventName } from '../../framing/event-name.ts';
import { formatFrame } from '../../framing/format-frame.ts';
import { jsonString } from '../../framing/json-string.ts';
import { reportResponseTypes } from '../../members/known-types.ts';
import { failedEnvelope } from './failed-envelope.ts';
import { failedError } from './failed-error.ts';
import { OutputSoFar } from './output-so-far.ts';
import { type EnvelopeTerms, patchEnvelope } from './patch-envelope.ts';
import { patchItem } from './patch-item.ts';
import { refusalOf } from './refusal-of.ts';
import { usageOfResponse } from './usage.ts';
import { isKept } from './view.ts';

/** The events before the answer itself. */
const prologue = new Set(['response.created', 'response.in_progress', 'response.queued']);
const endings = new Set(['response.completed', 'response.incomplete']);
const failures = new Set(['error', 'response.failed', 'response.cancelled']);

/** Creates the reader of a responses stream for a client that speaks the same protocol. */
export const createResponsesFrameReader = (terms: EnvelopeTerms): FrameReader => {
  const stream = new PassingStream(terms);
  return Object.assign((frame: Frame) => stream.read(frame), {
    fail: (refusal: Refusal) => stream.fail(refusal),
    answerText: stream.answerText,
  });
};

class PassingStream {
  readonly #terms: EnvelopeTerms;
  #begun = false;
  /** The last response object that the client received. */
  #envelope: string | undefined;
  readonly #output = new OutputSoFar();
  /** The number of events that the client has received or is about to receive. */
  #sent = 0;
  readonly answerText: CountedText;
  #reported: Usage | undefined;
  /** The number of those events that wait for the settlement. A failure replaces them. */
  #held = 0;

  constructor(terms: EnvelopeTerms) {
    this.#terms = terms;
    this.answerText = new CountedText(terms.label.estimate);
  }

  read({ event: name, data: sent }: Frame): FrameMeaning {
    if (sent === '[DONE]') return { text: '', begins: this.#begun, closes: false };
    const event = parseObject(sent);
    const data = asOneLine(sent);
    const type = eventName(textOf(event.type) ?? name);
    if (failures.has(type)) throw new RefusedAnswer(refusalOf(errorIn(event)));
    const { reportUnknown } = this.#terms.label;
    if (reportUnknown) reportResponseTypes(event, type, reportUnknown);
    this.#begun ||= type.startsWith('response.') && !prologue.has(type);
    if (isObject(event.response)) return this.#readResponse(type, data, event);
    if (type.endsWith('.delta')) this.answerText.add(textOf(event.delta) ?? '');
    if (type === 'response.output_item.done') this.answerText.addPart(event.item);
    if (this.#hides(type, event)) return { text: '', begins: this.#begun, closes: false };
    if (type === 'response.output_item.added') this.#output.begin(event);
    else this.#output.grow(type, event);
    const shown = isObject(event.item) ? this.#patchItem(type, data, event) : data;
    return { text: this.#format(type, shown, event), begins: this.#begun, closes: false };
  }

  /** Ends the stream with two error events, since each client reads one of them and none reads both. */
  fail(refusal: Refusal): string {
    const error = objectOf(errorEnvelope('openai', refusal).error);
    const { code, message, param } = error;
    this.#sent -= this.#held;
    this.#held = 0;
    const number = () => ({ sequence_number: this.#sent++ });
    const items = this.#output.broken();
    const response = failedEnvelope(
      { lastEnvelope: this.#envelope, items, error: failedError(refusal) },
      this.#terms,
    );
    const event = { type: 'error', ...number(), code, message, param, error };
    const failed = JSON.stringify({ type: 'response.failed', ...number() });
    return (
      formatFrame({ event: 'error', data: JSON.stringify(event) }) +
      formatFrame({ event: 'response.failed', data: `${failed.slice(0, -1)},"response":${response}}` })
    );
  }

  #readResponse(type: string, data: string, event: JsonObject): FrameMeaning {
    const response = objectOf(event.response);
    const members = membersOf(data);
    const { start, end } = members.get('response')!;
    const { done } = this.#output;
    const isLast = endings.has(type);
    if (isLast && typeof response.id === 'string') this.#terms.label.reportId?.(response.id);
    const found = usageOfResponse(response);
    if (found) this.#reported = laterUsage(this.#reported, found);
    const usage = isLast ? this.#usageOf(response) : this.#reported;
    const billed = usage && billedUsage(usage, this.#terms.label.estimate);
    const terms = { ...this.#terms, done, ...(billed && { usage: billed }) };
    const answer = patchEnvelope(data.slice(start, end), response, terms);
    const shown = patchJson(data, members, { response: answer.envelope });
    const text = this.#format(type, shown, event);
    this.#envelope = answer.envelope;
    if (!isLast) return { text, begins: this.#begun, closes: false, ...(usage && { usage }) };
    this.#held = 1;
    return {
      text,
      begins: true,
      closes: true,
      ends: true,
      ...(usage && { usage }),
      ...(isKept(this.#terms.requestBody) && { answer }),
    };
  }

  #usageOf({ output }: JsonObject): Usage {
    const { estimate } = this.#terms.label;
    const reported = this.#reported;
    const counted = usageOfWhole(reported, output, estimate);
    if (!counted.isEstimated) return counted;
    // Hosts that stream no deltas put the whole output in the last event. Others omit it there.
    return estimateUsage({
      reported,
      answerText: this.#longerText(output),
      isWhole: true,
      estimate,
    });
  }

  #longerText(output: unknown): CountedText {
    const found = answerTextIn(output, new CountedText(this.#terms.label.estimate));
    return found.length > this.answerText.length ? found : this.answerText;
  }

  /** Returns true for events with reasoning text that the client did not ask for. */
  #hides(type: string, { part }: JsonObject): boolean {
    if (this.#terms.view.showsThinking) return false;
    return type.startsWith('response.reasoning_') || objectOf(part).type === 'reasoning_text';
  }

  #patchItem(type: string, data: string, event: JsonObject): string {
    const members = membersOf(data);
    const { start, end } = members.get('item')!;
    const text = data.slice(start, end);
    const shown = patchItem(text, objectOf(event.item), this.#terms.view);
    if (type === 'response.output_item.done') this.#output.finish(event, { text, shown });
    return shown === text ? data : patchJson(data, members, { item: shown });
  }

  /**
   * Writes an event with its type and its sequence number. The upstream's number stays if it is correct. It
   * can be wrong if the stream began elsewhere or if events were hidden. Clients read the type only in the
   * data, and some hosts omit it there.
   */
  #format(type: string, data: string, event: JsonObject): string {
    const number = this.#sent;
    const isRight = event.sequence_number === number && event.type === type;
    const numbered = isRight
      ? data
      : patchJson(data, membersOf(data), { type: jsonString(type), sequence_number: String(number) });
    this.#sent++; // counted only after the event has been numbered
    return formatFrame({ event: type, data: numbered });
  }
}

function errorIn(event: JsonObject): unknown {
  if (isObject(event.response)) return event.response.error;
  return isObject(event.error) ? event.error : event;
}

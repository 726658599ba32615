import type { Refusal } from '../../../base/errors/refusal.ts';
import type { JsonObject } from '../../../base/json/json-body.ts';
import { memberText } from '../../../base/json/member-text.ts';
import { membersOf, patchJson, patchText } from '../../../base/json/patch-json.ts';
import { objectOf, parseObject, textOf } from '../../../base/json/read-json.ts';
import { isObject } from '../../../base/lib/is-object.ts';
import { billedUsage } from '../../canonical/estimate-usage.ts';
import type { Frame } from '../../contract/frame.ts';
import type { FrameMeaning, FrameReader } from '../../contract/frame-reader.ts';
import { RefusedAnswer } from '../../contract/refused-answer.ts';
import { asOneLine } from '../../framing/as-one-line.ts';
import { DONE } from '../../framing/done.ts';
import { eventName } from '../../framing/event-name.ts';
import { reportResponseTypes } from '../../members/report-types.ts';
import { isKept } from '../is-kept.ts';
import { EventWriter } from './event-writer.ts';
import { failedEnvelope } from './failed-envelope.ts';
import { OutputSoFar } from './output-so-far.ts';
import { PassingUsage } from './passing-usage.ts';
import { type EnvelopeTerms, patchEnvelope } from './patch-envelope.ts';
import { patchItem } from './patch-item.ts';
import { refusalInEvent } from './refusal-in-event.ts';

/** The events before the answer itself. */
const prologue = new Set(['response.created', 'response.in_progress', 'response.queued']);
const endings = new Set(['response.completed', 'response.incomplete']);

/** Adds the log probabilities of a finished text, which typed clients require, if a host omits them. */
const withLogprobs = (type: string, data: string, { logprobs }: JsonObject): string =>
  logprobs === undefined && type === 'response.output_text.done' ? patchText(data, { logprobs: '[]' }) : data;

/** Reads a responses stream for a client that speaks the same protocol. */
export class ResponsesFrameReader implements FrameReader {
  readonly #terms: EnvelopeTerms;
  readonly #usage: PassingUsage;
  readonly #output = new OutputSoFar();
  readonly #events = new EventWriter();
  #begun = false;
  /** The last response object that the client received. */
  #envelope: string | undefined;

  constructor(terms: EnvelopeTerms) {
    this.#terms = terms;
    this.#usage = new PassingUsage(terms.label.estimate);
  }

  get answerText() {
    return this.#usage.answerText;
  }

  read({ event: name, data: sent }: Frame): FrameMeaning {
    if (sent === DONE) return this.#passing('');
    const event = parseObject(sent);
    const data = asOneLine(sent);
    const type = eventName(textOf(event.type) ?? name);
    const refusal = refusalInEvent(type, event);
    if (refusal) throw new RefusedAnswer(refusal);
    const { reportUnknown } = this.#terms.label;
    if (reportUnknown) reportResponseTypes(event, type, reportUnknown);
    this.#begun ||= type.startsWith('response.') && !prologue.has(type);
    if (isObject(event.response)) return this.#readResponse(type, data, event);
    // Some hosts omit the response before the answer.
    if (endings.has(type) || (prologue.has(type) && event.response != null))
      throw new SyntaxError('the event has no response');
    this.#usage.count(type, event);
    if (this.#hides(type, event)) return this.#passing('');
    this.#output.add(type, event);
    const shown = isObject(event.item) ? this.#patchItem(type, data, event) : withLogprobs(type, data, event);
    return this.#passing(this.#events.write(type, shown, event));
  }

  /** Ends the stream with the output so far and the error. */
  fail(refusal: Refusal): string {
    const broken = { lastEnvelope: this.#envelope, items: this.#output.itemsIfBroken(), refusal };
    return this.#events.writeFailure(refusal, failedEnvelope(broken, this.#terms));
  }

  #passing(text: string): FrameMeaning {
    return { text, begins: this.#begun, closes: false };
  }

  #readResponse(type: string, data: string, event: JsonObject): FrameMeaning {
    const { label, requestBody } = this.#terms;
    const response = objectOf(event.response);
    const isLast = endings.has(type);
    if (isLast && typeof response.id === 'string') label.reportId?.(response.id);
    const reported = this.#usage.report(response);
    const usage = isLast ? this.#usage.ofWhole(response.output) : reported;
    const members = membersOf(data);
    const answer = patchEnvelope(
      { text: memberText({ text: data, members }, 'response'), value: response },
      this.#terms,
      { done: this.#output.done, usage: usage && billedUsage(usage, label.estimate) },
    );
    this.#envelope = answer.envelope;
    const shown = patchJson(data, members, { response: answer.envelope });
    if (!isLast) return { ...this.#passing(this.#events.write(type, shown, event)), ...(usage && { usage }) };
    return {
      text: this.#events.writeLast(type, shown, event),
      begins: true,
      closes: true,
      ends: true,
      ...(usage && { usage }),
      ...(isKept(requestBody) && { answer }),
    };
  }

  /** Returns true for events with reasoning text that the client did not ask for. */
  #hides(type: string, { part }: JsonObject): boolean {
    if (this.#terms.view.showsThinking) return false;
    return type.startsWith('response.reasoning_') || objectOf(part).type === 'reasoning_text';
  }

  #patchItem(type: string, data: string, event: JsonObject): string {
    const members = membersOf(data);
    const text = memberText({ text: data, members }, 'item');
    const shown = patchItem(text, objectOf(event.item), this.#terms.view);
    if (type === 'response.output_item.done') this.#output.finish(event, { text, shown });
    return shown === text ? data : patchJson(data, members, { item: shown });
  }
}

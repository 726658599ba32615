import type { Refusal } from '../../../base/errors/refusal.ts';
import { growPart, openPart } from '../../canonical/collect.ts';
import type { PartDelta, PartHead, Stop } from '../../canonical/event.ts';
import type { OutputPart } from '../../canonical/part.ts';
import type { Usage } from '../../canonical/usage.ts';
import type { Frame } from '../../contract/frame.ts';
import type { ResponseHead } from '../../contract/response-head.ts';
import { encodeItem, type ItemStatus, isMessagePart } from './encode-item.ts';
import { encodeFailure, encodeResponse } from './encode-response.ts';
import { encodeEnvelope } from './envelope.ts';
import { errorEvent } from './failed-error.ts';
import { itemId } from './item-id.ts';
import { type EventFields, type PartFrames, type PlacedPart, partFrames } from './part-frames.ts';
import { LARGE_LENGTH, RepeatedTexts } from './repeated-texts.ts';
import { incompleteReason } from './stop.ts';
import { isShown, type View, viewOf } from './view.ts';

/** An item whose end has not been sent. A closed message accepts no more contents. */
type OpenItem = {
  id: string;
  outputIndex: number;
  parts: [OutputPart, ...OutputPart[]];
  openParts: number;
  isClosed: boolean;
};
type OpenPart = PlacedPart & { item: OpenItem };

/** Writes one stream. Keeps the open items, their contents and the next sequence number. */
export class StreamWriter {
  usage: Usage | undefined;
  readonly #head: ResponseHead;
  readonly #view: View;
  readonly #open = new Map<number, OpenPart>();
  readonly #parts: OutputPart[] = [];
  #message: OpenItem | undefined;
  #itemCount = 0;
  #sequenceNumber = 0;
  /** The length of all deltas, in UTF-16 units. */
  #textLength = 0;
  readonly #texts = new RepeatedTexts();
  #frames: Frame[] = [];

  constructor(head: ResponseHead) {
    this.#head = head;
    this.#view = viewOf(head);
  }

  takeFrames(): Frame[] {
    const frames = this.#frames;
    this.#frames = [];
    return frames;
  }

  begin(): void {
    const response = encodeEnvelope(this.#head, { status: 'in_progress', output: [], outputText: '' });
    this.#send({ type: 'response.created', response });
    this.#send({ type: 'response.in_progress', response });
  }

  beginPart(index: number, head: PartHead): void {
    if (!isShown(head, this.#view)) return;
    const part = openPart(head);
    this.#parts.push(part);
    const item = this.#itemWith(part);
    const place = { item_id: item.id, output_index: item.outputIndex };
    const contentIndex = isMessagePart(part) && { content_index: item.parts.length - 1 };
    const open = { part, place: { ...place, ...contentIndex }, view: this.#view, item };
    this.#open.set(index, open);
    this.#sendAll(framesOf(part).begin?.(open));
  }

  growPart(index: number, delta: PartDelta): void {
    const open = this.#open.get(index);
    if (open === undefined) return;
    growPart(open.part, delta);
    if ('text' in delta) this.#textLength += delta.text.length;
    this.#sendAll(framesOf(open.part).grow?.(open, delta));
  }

  endPart(index: number): void {
    const open = this.#open.get(index);
    if (open === undefined) return;
    this.#open.delete(index);
    this.#sendAll(framesOf(open.part).end?.(open));
    open.item.openParts--;
    this.#closeItem(open.item, 'completed');
  }

  end(stop: Stop): void {
    for (const index of [...this.#open.keys()]) this.endPart(index);
    const type = incompleteReason(stop, this.#parts) === undefined ? 'completed' : 'incomplete';
    this.#closeMessage(type);
    const { responseId, model } = this.#head;
    const usage = this.usage && { usage: this.usage };
    const response = { responseId, model, parts: this.#parts, stop, ...usage };
    this.#send({ type: `response.${type}`, response: encodeResponse(response, this.#head) });
  }

  /** Ends the stream with two error events, since each client reads one of them and none reads both. */
  fail({ refusal, unsent = 0 }: { refusal: Refusal; unsent?: number }): void {
    this.#sequenceNumber -= unsent;
    this.#send({ type: 'error', ...errorEvent(refusal) });
    this.#send({ type: 'response.failed', response: encodeFailure(this.#parts, this.#head, refusal) });
  }

  /** Adds a part to its item. The current message accepts texts and refusals; any other part ends it. */
  #itemWith(part: OutputPart): OpenItem {
    if (isMessagePart(part) && this.#message) {
      this.#message.parts.push(part);
      this.#message.openParts++;
      return this.#message;
    }
    if (!isMessagePart(part)) this.#closeMessage('completed');
    const outputIndex = this.#itemCount++;
    const id = itemId(part, this.#head.responseId, outputIndex);
    const item: OpenItem = { id, outputIndex, parts: [part], openParts: 1, isClosed: !isMessagePart(part) };
    if (isMessagePart(part)) this.#message = item;
    const begun = encodeItem([part], { id, status: 'in_progress', view: this.#view });
    this.#send({ type: 'response.output_item.added', output_index: outputIndex, item: begun });
    return item;
  }

  #closeMessage(status: ItemStatus): void {
    const message = this.#message;
    this.#message = undefined;
    if (message === undefined) return;
    message.isClosed = true;
    this.#closeItem(message, status);
  }

  #closeItem(item: OpenItem, status: ItemStatus): void {
    if (!item.isClosed || item.openParts > 0) return;
    const done = encodeItem(item.parts, { id: item.id, status, view: this.#view });
    this.#send({ type: 'response.output_item.done', output_index: item.outputIndex, item: done });
  }

  #sendAll(events: EventFields[] = []): void {
    for (const event of events) this.#send(event);
  }

  #send({ type, ...fields }: EventFields): void {
    const event = { type, sequence_number: this.#sequenceNumber++, ...fields };
    const repeats = this.#textLength >= LARGE_LENGTH && !type.endsWith('.delta');
    const data = repeats ? this.#texts.stringify(event) : JSON.stringify(event);
    this.#frames.push({ event: type, data });
  }
}

/** Returns a part's row of the table, typed for any part. */
const framesOf = (part: OutputPart): PartFrames<OutputPart> =>
  partFrames[part.kind] as PartFrames<OutputPart>;

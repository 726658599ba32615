import { Refusal } from '../../../base/errors/refusal.ts';
import { listOf, objectOf, parseObject, textOf } from '../../../base/json/read-json.ts';
import { lookUp } from '../../../base/lib/records.ts';
import type { Fields } from '../../../base/schema/json-type.ts';
import { DecodedEvents } from '../../canonical/decoded-events.ts';
import type { PartDelta, PartHead, StreamEvent } from '../../canonical/event.ts';
import { laterUsage, type Usage } from '../../canonical/usage.ts';
import type { Frame } from '../../contract/codec.ts';
import { DONE } from '../../framing/done.ts';
import { OpaqueBlock } from './opaque-block.ts';
import { openingOf, partKinds, pieceOf, replayDelta } from './open-block.ts';
import { refusalOf } from './refusal-of.ts';
import { decodeStop } from './stop.ts';
import { decodeUsage, hasUsage, inputOf } from './usage.ts';

/** A part whose block is open. `input`: the input of a call that its opening event has. */
type OpenPart = { index: number; kind: PartHead['kind']; signature: string; input?: unknown; isFed: boolean };

/**
 * Decodes one stream. Blocks follow each other, but hosts that imitate the vendor omit
 * events that open or close them.
 */
export class MessagesStreamDecoder {
  readonly #events = new DecodedEvents();
  readonly #parts = new Map<number, OpenPart>();
  readonly #opaque = new Map<number, OpaqueBlock>();
  #responseId: string | undefined;
  #usage: Usage | undefined;
  /** The reason of the answer's end, and the stop sequence. */
  #closing: Fields = {};
  #isEnded = false;

  read(frame: Frame): StreamEvent[] {
    if (this.#isEnded || frame.data === DONE) return [];
    const event = parseObject(frame.data);
    const type = textOf(event.type) ?? frame.event ?? '';
    if (type === 'error' || event.error !== undefined) this.#fail(refusalOf(event.error));
    else lookUp(this.#handlers, type)?.(event);
    return this.#events.take();
  }

  readonly #handlers: Readonly<Record<string, (event: Fields) => void>> = {
    message_start: ({ message }) => this.#start(objectOf(message)),
    content_block_start: ({ index, content_block }) => this.#open(Number(index), objectOf(content_block)),
    content_block_delta: ({ index, delta }) => this.#grow(Number(index), objectOf(delta)),
    content_block_stop: ({ index }) => this.#close(Number(index)),
    message_delta: ({ delta, usage }) => {
      this.#closing = { ...this.#closing, ...objectOf(delta) };
      this.#count(usage);
    },
    message_stop: () => this.#finish(),
  };

  #start({ id, model, usage, ...begun }: Fields): void {
    const responseId = textOf(id) ?? '';
    const isFirst = this.#responseId === undefined;
    if (isFirst) {
      this.#responseId = responseId;
      this.#events.push({ type: 'response-start', responseId, model: textOf(model) ?? '' });
    }
    // A host that tries again behind the scenes may start twice. Only the last start counts.
    const hasBegun = this.#events.partCount + this.#opaque.size > 0;
    if (this.#responseId === responseId || !hasBegun)
      this.#count(textOf(begun.stop_reason) === undefined ? inputOf(usage) : usage);
    // A second answer begins within this one, so the blocks cannot be assigned to either.
    else this.#fail(new Refusal('upstream_unavailable', { cause: 'a second message_start' }));
    if (isFirst) this.#readContent(begun);
  }

  /** Reads what a start has of the answer. An answer that continues a program can be whole in its start. */
  #readContent({ content, stop_reason, stop_sequence }: Fields): void {
    for (const [place, block] of listOf(content).map(objectOf).entries()) {
      if (block.text === '') continue; // some hosts announce an empty text
      this.#open(place, block);
      this.#close(place);
    }
    if (textOf(stop_reason) !== undefined) this.#closing = { stop_reason, stop_sequence };
  }

  #count(usage: unknown): void {
    if (!hasUsage(usage)) return;
    this.#usage = laterUsage(this.#usage, decodeUsage(objectOf(usage), this.#usage));
    this.#events.push({ type: 'usage', usage: this.#usage });
  }

  #open(place: number, block: Fields): void {
    this.#close(place);
    const opening = openingOf(block);
    if (opening === undefined) {
      this.#opaque.set(place, new OpaqueBlock(block));
      return;
    }
    const part = this.#begin(place, opening.head);
    if (part.kind === 'tool-call') part.input = block.input;
    for (const delta of opening.deltas) this.#delta(part, delta);
  }

  #begin(place: number, head: PartHead): OpenPart {
    if (this.#responseId === undefined) this.#start({});
    const index = this.#events.beginPart(head);
    const part: OpenPart = { index, kind: head.kind, signature: '', isFed: false };
    this.#parts.set(place, part);
    return part;
  }

  #grow(place: number, delta: Fields): void {
    const opaque = this.#opaque.get(place);
    if (opaque) {
      opaque.add(delta);
      return;
    }
    const piece = pieceOf(delta);
    const part = piece && this.#partFor(place, piece);
    if (piece === undefined || part === undefined) return;
    if (piece.kind === 'replay-token') part.signature += piece.replay.data;
    else this.#delta(part, piece);
  }

  /** Returns the part for a delta. A text delta without an open text block starts a new part. */
  #partFor(place: number, { kind }: PartDelta): OpenPart | undefined {
    const part = this.#parts.get(place);
    if (part?.kind === partKinds[kind]) return part;
    if (kind !== 'text' && kind !== 'thinking') return undefined;
    this.#close(place);
    return this.#begin(place, kind === 'text' ? { kind } : { kind, form: 'full' });
  }

  #delta(part: OpenPart, delta: PartDelta): void {
    part.isFed = true;
    this.#events.growPart(part.index, delta);
  }

  #close(place: number): void {
    this.#closeOpaque(place);
    const part = this.#parts.get(place);
    if (part === undefined) return;
    if (part.signature !== '') this.#delta(part, replayDelta(part.signature));
    // Without deltas the input is the one in the opening event, or `{}`.
    if (part.kind === 'tool-call' && !part.isFed) {
      this.#delta(part, { kind: 'tool-input', text: JSON.stringify(objectOf(part.input)) });
    }
    this.#parts.delete(place);
    this.#events.endPart(part.index);
  }

  #closeOpaque(place: number): void {
    const opaque = this.#opaque.get(place);
    if (opaque === undefined) return;
    this.#opaque.delete(place);
    this.#begin(place, { kind: 'opaque', issuer: 'messages', block: opaque.whole() });
  }

  #finish(): void {
    for (const place of [...this.#parts.keys(), ...this.#opaque.keys()]) this.#close(place);
    if (this.#responseId === undefined) this.#start({});
    this.#isEnded = true;
    const { stop_reason, stop_sequence } = this.#closing;
    const stop = decodeStop(textOf(stop_reason), textOf(stop_sequence));
    this.#events.push({ type: 'response-end', stop });
  }

  #fail(refusal: Refusal): void {
    this.#isEnded = true;
    this.#events.push({ type: 'response-error', refusal });
  }
}

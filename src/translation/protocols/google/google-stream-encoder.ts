import type { Refusal } from '../../../base/errors/refusal.ts';
import type { PartDelta, PartHead, StreamEvent } from '../../canonical/event.ts';
import type { Citation, ReplayToken } from '../../canonical/part.ts';
import { stringifyWithRaw } from '../../canonical/raw-json.ts';
import type { Usage } from '../../canonical/usage.ts';
import type { Frame } from '../../contract/frame.ts';
import type { ResponseHead } from '../../contract/response-head.ts';
import { objectInput } from '../../encoding/flat-tool.ts';
import { failureChunk } from './blocked-prompt.ts';
import { encodeChunk, type GoogleChunk } from './encode-answer.ts';
import {
  type AnswerPart,
  callPart,
  encodeAnswerPart,
  showsThoughts,
  signatureParts,
  thoughtPart,
} from './encode-answer-part.ts';
import { SignatureCarrier } from './signature-carrier.ts';

/** The chat history of the vendor's own client drops an answer whose last chunk has no part. */
const NO_TEXT: readonly AnswerPart[] = [{ text: '' }];

/** A part that has not ended, with what goes into one chunk at its end. */
type OpenPart = { head: PartHead; input: string; replay?: ReplayToken };

/** Encodes one stream. Each piece of a text or a thought is a chunk, and a call is one chunk at its end. */
export class GoogleStreamEncoder {
  readonly #head: ResponseHead;
  readonly #showsThoughts: boolean;
  readonly #openParts = new Map<number, OpenPart>();
  readonly #citations: Citation[] = [];
  readonly #carrier = new SignatureCarrier();
  #usage: Usage | undefined;
  #hasBegun = false;

  constructor(head: ResponseHead) {
    this.#head = head;
    this.#showsThoughts = showsThoughts(head.request);
  }

  encode(event: StreamEvent): Frame[] {
    switch (event.type) {
      case 'response-start':
        return [];
      case 'part-start':
        this.#openParts.set(event.index, { head: event.part, input: '' });
        return [];
      case 'part-delta':
        return this.#framesOf(
          this.#carrier.add(this.#encodeDelta(this.#openParts.get(event.index), event.delta)),
        );
      case 'part-end':
        return this.#framesOf(this.#carrier.add(this.#endPart(event.index)));
      case 'usage':
        this.#usage = event.usage;
        return [];
      case 'response-end':
        return [
          ...this.#framesOf(this.#carrier.end()),
          this.#chunkFrame({
            parts: NO_TEXT,
            stop: event.stop,
            usage: this.#usage,
            citations: this.#citations,
          }),
        ];
      case 'response-error':
        return [{ data: JSON.stringify(this.#failureChunk(event.refusal)) }];
    }
  }

  /** Returns what a delta adds to the answer now. What the end of the part needs is kept. */
  #encodeDelta(open: OpenPart | undefined, delta: PartDelta): AnswerPart[] {
    if (open === undefined) return [];
    switch (delta.kind) {
      case 'text':
      case 'refusal':
        return delta.text === '' ? [] : [{ text: delta.text }];
      case 'thinking':
        return this.#showsThoughts && delta.text !== '' ? [thoughtPart(delta.text)] : [];
      case 'tool-input':
        open.input += delta.text;
        return [];
      case 'citation':
        this.#citations.push(delta.citation);
        return [];
      case 'replay-token':
        open.replay = delta.replay;
        return [];
      default:
        return [];
    }
  }

  #endPart(index: number): AnswerPart[] {
    const open = this.#openParts.get(index);
    if (open === undefined) return [];
    this.#openParts.delete(index);
    const { head, input, replay } = open;
    switch (head.kind) {
      case 'thinking':
        return signatureParts(replay);
      case 'tool-call':
        return [callPart({ ...head, replay }, objectInput({ kind: head.inputKind, text: input }))];
      case 'redacted-thinking':
      case 'opaque':
        return encodeAnswerPart(head, this.#showsThoughts);
      default:
        return [];
    }
  }

  #framesOf(parts: AnswerPart[]): Frame[] {
    return parts.length === 0 ? [] : [this.#chunkFrame({ parts })];
  }

  #failureChunk(refusal: Refusal): Record<string, unknown> {
    const { responseId, model } = this.#head;
    return failureChunk(refusal, { names: { responseId, modelVersion: model }, hasBegun: this.#hasBegun });
  }

  #chunkFrame(chunk: GoogleChunk): Frame {
    this.#hasBegun = true;
    return { data: stringifyWithRaw(encodeChunk(this.#head, chunk)) };
  }
}

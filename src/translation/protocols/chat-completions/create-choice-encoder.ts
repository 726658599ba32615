import { errorEnvelope } from '../../../base/errors/envelope.ts';
import type { PartDelta, PartHead, StreamEvent } from '../../canonical/event.ts';
import type { Citation, ReplayToken } from '../../canonical/part.ts';
import type { Frame } from '../../contract/frame.ts';
import type { ResponseHead } from '../../contract/response-head.ts';
import { formatAnnotation } from './annotation.ts';
import { CallDeltas } from './call-deltas.ts';
import { choiceFrame } from './completion-envelope.ts';
import { createUntangler } from './create-untangler.ts';
import { formatRedacted, formatThoughtToken } from './reasoning-details.ts';
import { formatStop } from './stop.ts';

/**
 * Creates the encoder for the chunks of one choice, from its role to its finish reason. closingFrames adds
 * the usage and the end of the stream. A request for several answers uses one encoder for each answer.
 */
export function createChoiceEncoder(head: ResponseHead, index: number): (event: StreamEvent) => Frame[] {
  const choice = new ChoiceEncoder(head, index);
  const untangle = createUntangler();
  return (event) => untangle(event).flatMap((next) => choice.encode(next));
}

/** The kinds of parts whose texts go into one field of the message each. */
type SpeechKind = 'text' | 'refusal' | 'thinking';

/** A part other than a call. `start`: its place in the text of its kind. */
type Part = { start: number; replay?: ReplayToken; citations: Citation[] };

class ChoiceEncoder {
  readonly #head: ResponseHead;
  readonly #index: number;
  readonly #calls: CallDeltas;
  readonly #showsThinking: boolean;
  readonly #parts = new Map<number, Part>();
  /** The numbers of characters written so far. */
  readonly #lengths: Record<SpeechKind, number> = { text: 0, refusal: 0, thinking: 0 };

  constructor(head: ResponseHead, index: number) {
    this.#head = head;
    this.#index = index;
    this.#calls = new CallDeltas(head);
    this.#showsThinking = head.request.thinking?.visible === true;
  }

  encode(event: StreamEvent): Frame[] {
    const naming = this.#calls.takeNaming(event);
    return naming === undefined ? this.#encode(event) : [...this.#framesOf(naming), ...this.#encode(event)];
  }

  #encode(event: StreamEvent): Frame[] {
    switch (event.type) {
      case 'response-start':
        return this.#framesOf({ role: 'assistant', content: '', refusal: null });
      case 'part-start':
        return this.#framesOf(this.#beginPart(event.index, event.part));
      case 'part-delta':
        return this.#framesOf(this.#encodeDelta(event.index, event.delta));
      case 'part-end':
        return this.#framesOf(this.#endPart(event.index));
      case 'response-end': {
        const answered = { calls: this.#calls.hasCalls, refusal: this.#lengths.refusal > 0 };
        const finish_reason = this.#calls.finishReason(formatStop(event.stop, answered));
        return [choiceFrame(this.#head, { index: this.#index, delta: {}, finish_reason })];
      }
      case 'response-error':
        return [{ data: JSON.stringify(errorEnvelope('openai', event.refusal)) }];
      case 'usage':
        return [];
    }
  }

  #framesOf(delta: object | undefined): Frame[] {
    if (delta === undefined) return [];
    return [choiceFrame(this.#head, { index: this.#index, delta, finish_reason: null })];
  }

  #beginPart(index: number, part: PartHead): object | undefined {
    if (part.kind === 'tool-call') return this.#calls.start(index, part);
    const start = part.kind === 'text' || part.kind === 'thinking' ? this.#lengths[part.kind] : 0;
    this.#parts.set(index, { start, citations: [] });
    if (part.kind !== 'redacted-thinking' || !this.#showsThinking) return undefined;
    return { reasoning_details: [formatRedacted(part.replay)] };
  }

  #encodeDelta(index: number, delta: PartDelta): object | undefined {
    switch (delta.kind) {
      case 'text':
        return this.#addSpeech(delta, { content: delta.text });
      case 'refusal':
        return this.#addSpeech(delta, { refusal: delta.text });
      case 'thinking':
        return this.#showsThinking ? this.#addSpeech(delta, { reasoning_content: delta.text }) : undefined;
      case 'tool-input':
        return this.#calls.grow(index, delta.text);
      case 'citation':
        this.#parts.get(index)?.citations.push(delta.citation);
        return undefined;
      case 'replay-token': {
        const part = this.#parts.get(index);
        if (part === undefined) return this.#calls.sign(index, delta.replay);
        part.replay = delta.replay;
        return undefined;
      }
      case 'opaque':
        return undefined;
    }
  }

  /** Counts a text that the client gets, so that annotations can name its place. */
  #addSpeech({ kind, text }: { kind: SpeechKind; text: string }, delta: object): object | undefined {
    this.#lengths[kind] += text.length;
    return text === '' ? undefined : delta;
  }

  #endPart(index: number): object | undefined {
    const part = this.#parts.get(index);
    if (part === undefined) return this.#calls.end(index);
    const { start, replay, citations } = part;
    const place = { start, end: this.#lengths.text };
    const annotations = citations.flatMap((citation) => formatAnnotation(citation, place) ?? []);
    if (annotations.length > 0) return { annotations };
    if (replay === undefined || !this.#showsThinking) return undefined;
    const detail = formatThoughtToken(replay, { start, end: this.#lengths.thinking });
    return detail && { reasoning_details: [detail] };
  }
}

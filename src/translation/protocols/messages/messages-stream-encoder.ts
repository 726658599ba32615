import { errorEnvelope } from '../../../base/errors/envelope.ts';
import type { Fields } from '../../../base/schema/json-type.ts';
import type { Estimator } from '../../canonical/estimator.ts';
import type { PartDelta, PartHead, Stop, StreamEvent } from '../../canonical/event.ts';
import type { ReplayToken } from '../../canonical/part.ts';
import type { Usage } from '../../canonical/usage.ts';
import type { Frame, ResponseHead } from '../../contract/codec.ts';
import { objectInput } from '../../encoding/flat-tool.ts';
import { type Block, callProof, isAnswer, isShown, openBlock, signatureOf } from './encode-block.ts';
import { encodeCitation } from './encode-citation.ts';
import { encodeMessage } from './encode-response.ts';
import { encodeStop } from './stop.ts';
import { type ThinkingView, thinkingView } from './thinking-view.ts';
import { encodeDeltaUsage } from './usage.ts';

type Part = {
  head: PartHead;
  /** Deltas that arrived while another part's block was open. */
  pending: PartDelta[];
  isEnded: boolean;
  /** The block's number, once the block is open. */
  block?: number;
  isFed?: boolean;
  replay?: ReplayToken;
  freeform: string;
};

/**
 * Encodes one stream. Parts may overlap but blocks may not, so each part waits
 * until the earlier ones have ended.
 */
export class MessagesStreamEncoder {
  readonly #head: ResponseHead;
  readonly #view: ThinkingView;
  readonly #estimate: Pick<Estimator, 'input'> | undefined;
  #frames: Frame[] = [];
  readonly #parts = new Map<number, Part>();
  readonly #queue: Part[] = [];
  #blocks = 0;
  #last: Block | undefined;
  /** Tokens without a text that arrived after the answer. */
  #late: ReplayToken[] = [];
  #hasAnswer = false;
  #hasCalls = false;
  #started = false;
  #usage: Usage | undefined;

  constructor(head: ResponseHead, estimate?: Pick<Estimator, 'input'>) {
    this.#head = head;
    this.#estimate = estimate;
    this.#view = thinkingView(head.request);
  }

  encode(event: StreamEvent): Frame[] {
    this.#frames = [];
    this.#take(event);
    return this.#frames;
  }

  #take(event: StreamEvent): void {
    switch (event.type) {
      case 'response-start': // sent with the first block, when the input may already be counted
        return;
      case 'part-start':
        this.#add(event.index, event.part);
        break;
      case 'part-delta':
        this.#parts.get(event.index)?.pending.push(event.delta);
        break;
      case 'part-end':
        this.#end(event.index);
        break;
      case 'usage':
        this.#usage = event.usage;
        return;
      case 'response-end':
        this.#finish(event.stop);
        return;
      case 'response-error':
        this.#send('error', errorEnvelope('messages', event.refusal));
        return;
    }
    this.#drain();
  }

  #add(index: number, head: PartHead): void {
    if (!isShown(head, this.#view)) return;
    const part: Part = { head, pending: [], isEnded: false, freeform: '' };
    this.#parts.set(index, part);
    this.#queue.push(part);
  }

  #end(index: number): void {
    const part = this.#parts.get(index);
    if (part) part.isEnded = true;
  }

  #drain(): void {
    for (let part = this.#queue[0]; part; part = this.#queue[0]) {
      // A part that may stay empty opens its block with its first delta.
      if (!mayStayEmpty(part.head)) this.#open(part);
      const deltas = part.pending.splice(0);
      // The token of a call is sent before the call.
      for (const delta of deltas) if (delta.kind === 'replay-token') part.replay = delta.replay;
      for (const delta of deltas) this.#write(part, delta);
      if (!part.isEnded) return;
      this.#close(part);
      this.#queue.shift();
    }
  }

  #open(part: Part): number {
    if (part.block !== undefined) return part.block;
    if (part.head.kind === 'tool-call') this.#prove(part.head.callId, part);
    part.block = this.#startBlock(openBlock(part.head));
    this.#hasCalls ||= part.head.kind === 'tool-call';
    return part.block;
  }

  /** Sends the token of a call, once. It comes before the call if it is known by then. */
  #prove(callId: string, part: Part): void {
    const { replay } = part;
    if (replay === undefined || this.#view === 'none') return;
    delete part.replay;
    this.#sendBlock(callProof(callId, replay));
  }

  #sendBlock(block: Block): void {
    const index = this.#startBlock(block);
    this.#send('content_block_stop', { index });
  }

  #startBlock(block: Block): number {
    this.#start();
    for (const token of this.#late.splice(0)) this.#sendToken(token);
    const index = this.#blocks++;
    this.#last = block;
    this.#hasAnswer ||= isAnswer(block);
    this.#send('content_block_start', { index, content_block: block });
    return index;
  }

  #sendToken(token: ReplayToken): void {
    const index = this.#startBlock(openBlock({ kind: 'thinking', form: 'summary' }));
    const delta = { type: 'signature_delta', signature: signatureOf(token) };
    this.#send('content_block_delta', { index, delta });
    this.#send('content_block_stop', { index });
  }

  #write(part: Part, delta: PartDelta): void {
    if (delta.kind === 'tool-input' && isFreeform(part.head)) {
      this.#open(part);
      part.freeform += delta.text;
    } else this.#feed(part, this.#encodeDelta(delta));
  }

  #encodeDelta(delta: PartDelta): Fields | undefined {
    if ('text' in delta && delta.text === '') return undefined;
    switch (delta.kind) {
      case 'text':
      case 'refusal':
        return { type: 'text_delta', text: delta.text };
      case 'thinking':
        return this.#view === 'whole' ? { type: 'thinking_delta', thinking: delta.text } : undefined;
      case 'tool-input':
        return { type: 'input_json_delta', partial_json: delta.text };
      case 'citation': {
        const citation = encodeCitation(delta.citation);
        return citation === undefined ? undefined : { type: 'citations_delta', citation };
      }
      default:
        return undefined;
    }
  }

  #feed(part: Part, delta: Fields | undefined): void {
    if (delta === undefined) return;
    this.#send('content_block_delta', { index: this.#open(part), delta });
    part.isFed = true;
  }

  #close(part: Part): void {
    const { head, replay } = part;
    if (head.kind === 'thinking' && (part.isFed || replay)) {
      if (replay && !part.isFed && this.#hasAnswer) this.#late.push(replay);
      else this.#feed(part, { type: 'signature_delta', signature: signatureOf(replay) });
    }
    if (head.kind === 'tool-call' && !part.isFed) {
      const text = isFreeform(head) ? objectInput({ kind: 'freeform', text: part.freeform }) : '';
      this.#feed(part, { type: 'input_json_delta', partial_json: text });
    }
    if (part.block !== undefined) this.#send('content_block_stop', { index: part.block });
    if (head.kind === 'tool-call') this.#prove(head.callId, part);
  }

  #start(): void {
    if (this.#started) return;
    this.#started = true;
    this.#send('message_start', {
      message: encodeMessage(this.#head, { content: [], usage: this.#usage ?? this.#estimated() }),
    });
  }

  /** Estimates the input for the first event, since most upstreams count it at the end. */
  #estimated(): Usage | undefined {
    return this.#estimate && { input: { uncached: this.#estimate.input() }, output: { visible: 0 } };
  }

  #finish(stop: Stop): void {
    for (const part of this.#queue) part.isEnded = true;
    this.#drain();
    this.#start();
    this.#endWithAnswer();
    if (this.#late.length > 0) this.#head.reportLoss?.('replay-token');
    this.#send('message_delta', {
      delta: { ...encodeStop(stop, this.#hasCalls), container: null },
      usage: encodeDeltaUsage(this.#usage),
    });
    this.#send('message_stop', {});
  }

  /**
   * Clients read the last block as the answer.
   * Thinking after the answer is followed by an empty text. A token at the end is not sent at all: only calls
   * need theirs, and some clients would take the empty text for the answer.
   */
  #endWithAnswer(): void {
    if (this.#hasAnswer && this.#last && !isAnswer(this.#last)) this.#sendBlock(openBlock({ kind: 'text' }));
  }

  #send(type: string, fields: Fields): void {
    this.#frames.push({ event: type, data: JSON.stringify({ type, ...fields }) });
  }
}

const isFreeform = (head: PartHead): boolean => head.kind === 'tool-call' && head.inputKind === 'freeform';

/** The token of a call can follow its head. It is sent before the call. */
const mayStayEmpty = ({ kind }: PartHead): boolean =>
  kind === 'text' || kind === 'refusal' || kind === 'thinking' || kind === 'tool-call';

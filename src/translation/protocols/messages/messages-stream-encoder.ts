import { errorEnvelope } from '../../../base/errors/envelope.ts';
import type { Fields } from '../../../base/schema/json-type.ts';
import type { Estimator } from '../../canonical/estimator.ts';
import type { PartDelta, PartHead, Stop, StreamEvent } from '../../canonical/event.ts';
import type { ReplayToken } from '../../canonical/part.ts';
import type { Usage } from '../../canonical/usage.ts';
import type { Frame, ResponseHead } from '../../contract/codec.ts';
import { objectInput } from '../../encoding/flat-tool.ts';
import { type Block, callProof, isShown, openBlock, signatureOf } from './encode-block.ts';
import { encodeCitation } from './encode-citation.ts';
import { encodeMessage } from './encode-response.ts';
import { MessageEvents } from './message-events.ts';
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
  /** True once the block has a delta. */
  isFed?: boolean;
  /** The token that the part has got and that has not been sent. */
  replay?: ReplayToken;
  /** The text of a call that does not take JSON. It is sent as one object at the call's end. */
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
  readonly #events = new MessageEvents();
  readonly #parts = new Map<number, Part>();
  readonly #queue: Part[] = [];
  /** Tokens without a text that arrived after the answer. */
  readonly #late: ReplayToken[] = [];
  #hasCalls = false;
  #hasStarted = false;
  #usage: Usage | undefined;

  constructor(head: ResponseHead, estimate?: Pick<Estimator, 'input'>) {
    this.#head = head;
    this.#estimate = estimate;
    this.#view = thinkingView(head.request);
  }

  encode(event: StreamEvent): Frame[] {
    this.#read(event);
    return this.#events.take();
  }

  #read(event: StreamEvent): void {
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
        this.#events.send('error', errorEnvelope('messages', event.refusal));
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

  /** Writes the first part of the queue as far as it has come, and the next ones once it has ended. */
  #drain(): void {
    for (let part = this.#queue[0]; part; part = this.#queue[0]) {
      if (!opensLate(part.head)) this.#open(part);
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
    part.block = this.#beginBlock(openBlock(part.head));
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
    this.#events.endBlock(this.#beginBlock(block));
  }

  #beginBlock(block: Block): number {
    this.#start();
    for (const token of this.#late.splice(0)) this.#sendToken(token);
    return this.#events.beginBlock(block);
  }

  #sendToken(token: ReplayToken): void {
    const index = this.#events.beginBlock(openBlock({ kind: 'thinking', form: 'summary' }));
    this.#events.growBlock(index, signatureDelta(token));
    this.#events.endBlock(index);
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
    this.#events.growBlock(this.#open(part), delta);
    part.isFed = true;
  }

  #close(part: Part): void {
    const { head } = part;
    if (head.kind === 'thinking') this.#closeThinking(part);
    if (head.kind === 'tool-call' && !part.isFed) {
      const text = isFreeform(head) ? objectInput({ kind: 'freeform', text: part.freeform }) : '';
      this.#feed(part, { type: 'input_json_delta', partial_json: text });
    }
    if (part.block !== undefined) this.#events.endBlock(part.block);
    if (head.kind === 'tool-call') this.#prove(head.callId, part);
  }

  /** Sends the token of thinking. A token without a text waits if the answer has been sent. */
  #closeThinking(part: Part): void {
    const { replay, isFed } = part;
    if (replay && !isFed && this.#events.hasAnswer) this.#late.push(replay);
    else if (replay || isFed) this.#feed(part, signatureDelta(replay));
  }

  #start(): void {
    if (this.#hasStarted) return;
    this.#hasStarted = true;
    const usage = this.#usage ?? this.#estimated();
    this.#events.send('message_start', { message: encodeMessage(this.#head, { content: [], usage }) });
  }

  /** Estimates the input for the first event, since most upstreams count it at the end. */
  #estimated(): Usage | undefined {
    return this.#estimate && { input: { uncached: this.#estimate.input() }, output: { visible: 0 } };
  }

  #finish(stop: Stop): void {
    for (const part of this.#queue) part.isEnded = true;
    this.#drain();
    this.#start();
    // Clients read the last block as the answer, so an empty text follows thinking after the answer.
    if (this.#events.endsInThought) this.#sendBlock(openBlock({ kind: 'text' }));
    // Only calls need their tokens. Some clients would take the empty text after a late one for the answer.
    if (this.#late.length > 0) this.#head.reportLoss?.('replay-token');
    this.#events.send('message_delta', {
      delta: { ...encodeStop(stop, this.#hasCalls), container: null },
      usage: encodeDeltaUsage(this.#usage),
    });
    this.#events.send('message_stop', {});
  }
}

const signatureDelta = (replay: ReplayToken | undefined): Fields => ({
  type: 'signature_delta',
  signature: signatureOf(replay),
});

const isFreeform = (head: PartHead): boolean => head.kind === 'tool-call' && head.inputKind === 'freeform';

/**
 * Returns true for a part whose block opens with its first delta. Texts may stay empty, and the token of a
 * call, which is sent before the call, can follow its head.
 */
const opensLate = ({ kind }: PartHead): boolean =>
  kind === 'text' || kind === 'refusal' || kind === 'thinking' || kind === 'tool-call';

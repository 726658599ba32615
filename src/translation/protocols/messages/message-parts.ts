import type { Fields } from '../../../base/schema/json-type.ts';
import type { PartDelta, PartHead } from '../../canonical/event.ts';
import type { ReplayToken } from '../../canonical/part.ts';
import { objectInput } from '../../encoding/flat-tool.ts';
import type { Block } from './block.ts';
import { isShown } from './encode-answer-part.ts';
import { encodeDelta, inputDelta, signatureDelta } from './encode-delta.ts';
import type { MessageEvents } from './message-events.ts';
import { openBlock } from './open-block.ts';
import { callProof } from './signature-blocks.ts';
import type { ThinkingView } from './thinking-view.ts';

type Part = {
  head: PartHead;
  /** Deltas that arrived while another part's block was open. */
  pending: PartDelta[];
  isEnded: boolean;
  /** The block's number, once the block is open. */
  block?: number;
  /** True once the block has a delta. */
  hasDelta: boolean;
  /** The token that the part has got and that has not been sent. */
  token?: ReplayToken;
  /** The text of a call that does not take JSON. It is sent as one object at the call's end. */
  freeform: string;
};

/**
 * Writes the parts of one answer as blocks. Parts may overlap but blocks may not, so each part waits until
 * the earlier ones have ended.
 */
export class MessageParts {
  readonly #events: MessageEvents;
  readonly #view: ThinkingView;
  readonly #parts = new Map<number, Part>();
  /** The parts that have not been written to their end. */
  readonly #queue: Part[] = [];
  /** Tokens of thinking without a text that arrived after the answer. */
  readonly #lateTokens: ReplayToken[] = [];
  #hasCalls = false;

  constructor(events: MessageEvents, view: ThinkingView) {
    this.#events = events;
    this.#view = view;
  }

  /** True once a call has been sent. */
  get hasCalls(): boolean {
    return this.#hasCalls;
  }

  /** True if tokens wait for another block. */
  get hasLateTokens(): boolean {
    return this.#lateTokens.length > 0;
  }

  begin(index: number, head: PartHead): void {
    if (!isShown(head, this.#view)) return;
    const part: Part = { head, pending: [], isEnded: false, hasDelta: false, freeform: '' };
    this.#parts.set(index, part);
    this.#queue.push(part);
    this.#writeQueue();
  }

  grow(index: number, delta: PartDelta): void {
    this.#parts.get(index)?.pending.push(delta);
    this.#writeQueue();
  }

  end(index: number): void {
    const part = this.#parts.get(index);
    if (part) part.isEnded = true;
    this.#writeQueue();
  }

  endAll(): void {
    for (const part of this.#queue) part.isEnded = true;
    this.#writeQueue();
  }

  /** Sends a block that has no deltas. */
  sendBlock(block: Block): void {
    this.#events.endBlock(this.#beginBlock(block));
  }

  /** Writes the first part of the queue as far as it has come, and the next ones once it has ended. */
  #writeQueue(): void {
    for (let part = this.#queue[0]; part; part = this.#queue[0]) {
      if (!opensLate(part.head)) this.#openBlock(part);
      const deltas = part.pending.splice(0);
      // The token of a call is sent before the call.
      for (const delta of deltas) if (delta.kind === 'replay-token') part.token = delta.replay;
      for (const delta of deltas) this.#write(part, delta);
      if (!part.isEnded) return;
      this.#closeBlock(part);
      this.#queue.shift();
    }
  }

  #write(part: Part, delta: PartDelta): void {
    if (delta.kind === 'tool-input' && isFreeform(part.head)) {
      this.#openBlock(part);
      part.freeform += delta.text;
    } else this.#growBlock(part, encodeDelta(delta, this.#view));
  }

  /** Returns the number of the part's block, which opens here if it has not yet. */
  #openBlock(part: Part): number {
    if (part.block !== undefined) return part.block;
    if (part.head.kind === 'tool-call') {
      this.#sendCallToken(part.head.callId, part);
      this.#hasCalls = true;
    }
    part.block = this.#beginBlock(openBlock(part.head));
    return part.block;
  }

  #growBlock(part: Part, delta: Fields | undefined): void {
    if (delta === undefined) return;
    this.#events.growBlock(this.#openBlock(part), delta);
    part.hasDelta = true;
  }

  #closeBlock(part: Part): void {
    const { head } = part;
    if (head.kind === 'thinking') this.#closeThinking(part);
    if (head.kind === 'tool-call' && !part.hasDelta) {
      const text = isFreeform(head) ? objectInput({ kind: 'freeform', text: part.freeform }) : '';
      this.#growBlock(part, inputDelta(text));
    }
    if (part.block !== undefined) this.#events.endBlock(part.block);
    if (head.kind === 'tool-call') this.#sendCallToken(head.callId, part);
  }

  /** Sends the token of thinking. A token without a text waits if the answer has been sent. */
  #closeThinking(part: Part): void {
    const { token, hasDelta } = part;
    if (token && !hasDelta && this.#events.hasAnswer) this.#lateTokens.push(token);
    else if (token || hasDelta) this.#growBlock(part, signatureDelta(token));
  }

  /** Sends the token of a call, once. It comes before the call if it is known by then. */
  #sendCallToken(callId: string, part: Part): void {
    const { token } = part;
    if (token === undefined || this.#view === 'none') return;
    delete part.token;
    this.sendBlock(callProof(callId, token));
  }

  #beginBlock(block: Block): number {
    this.#events.start();
    for (const token of this.#lateTokens.splice(0)) this.#sendLateToken(token);
    return this.#events.beginBlock(block);
  }

  #sendLateToken(token: ReplayToken): void {
    const index = this.#events.beginBlock(openBlock({ kind: 'thinking', form: 'summary' }));
    this.#events.growBlock(index, signatureDelta(token));
    this.#events.endBlock(index);
  }
}

const isFreeform = (head: PartHead): boolean => head.kind === 'tool-call' && head.inputKind === 'freeform';

/**
 * Returns true for a part whose block opens with its first delta. Texts may stay empty, and the token of a
 * call, which is sent before the call, can follow its head.
 */
const opensLate = ({ kind }: PartHead): boolean =>
  kind === 'text' || kind === 'refusal' || kind === 'thinking' || kind === 'tool-call';

import { errorEnvelope } from '../../../base/errors/envelope.ts';
import type { Refusal } from '../../../base/errors/refusal.ts';
import type { Fields } from '../../../base/schema/json-type.ts';
import type { InputEstimator } from '../../canonical/estimator.ts';
import type { Stop } from '../../canonical/event.ts';
import type { Usage } from '../../canonical/usage.ts';
import type { Frame } from '../../contract/frame.ts';
import type { ResponseHead } from '../../contract/response-head.ts';
import { isAnswer } from './answer-order.ts';
import type { Block } from './block.ts';
import { encodeMessage } from './encode-response.ts';
import { encodeStop } from './stop.ts';
import { encodeDeltaUsage } from './usage.ts';

/** Writes the events of one message. Its blocks follow each other and are numbered from 0. */
export class MessageEvents {
  /** The last usage that was reported. */
  usage: Usage | undefined;
  readonly #head: ResponseHead;
  readonly #estimate: InputEstimator | undefined;
  #frames: Frame[] = [];
  #hasStarted = false;
  #blockCount = 0;
  #lastBlock: Block | undefined;
  #hasAnswer = false;

  constructor(head: ResponseHead, estimate: InputEstimator | undefined) {
    this.#head = head;
    this.#estimate = estimate;
  }

  /** True once a text or a call has begun. */
  get hasAnswer(): boolean {
    return this.#hasAnswer;
  }

  /** True if the last block is thinking after the answer. */
  get endsInThought(): boolean {
    return this.#hasAnswer && this.#lastBlock !== undefined && !isAnswer(this.#lastBlock);
  }

  /** Returns the frames since the last call. */
  take(): Frame[] {
    const frames = this.#frames;
    this.#frames = [];
    return frames;
  }

  /** Starts the message, unless it has started before. */
  start(): void {
    if (this.#hasStarted) return;
    this.#hasStarted = true;
    const usage = this.usage ?? this.#estimatedUsage();
    this.#send('message_start', { message: encodeMessage(this.#head, { content: [], usage }) });
  }

  /** Begins a block, and returns its number. */
  beginBlock(block: Block): number {
    const index = this.#blockCount++;
    this.#lastBlock = block;
    this.#hasAnswer ||= isAnswer(block);
    this.#send('content_block_start', { index, content_block: block });
    return index;
  }

  growBlock(index: number, delta: Fields): void {
    this.#send('content_block_delta', { index, delta });
  }

  endBlock(index: number): void {
    this.#send('content_block_stop', { index });
  }

  finish(stop: Stop, { hasCalls }: { hasCalls: boolean }): void {
    const delta = { ...encodeStop(stop, hasCalls), container: null };
    this.#send('message_delta', { delta, usage: encodeDeltaUsage(this.usage) });
    this.#send('message_stop', {});
  }

  fail(refusal: Refusal): void {
    this.#send('error', errorEnvelope('messages', refusal));
  }

  /** Estimates the input for the first event, since most upstreams count it at the end. */
  #estimatedUsage(): Usage | undefined {
    return this.#estimate && { input: { uncached: this.#estimate.input() }, output: { visible: 0 } };
  }

  #send(type: string, fields: Fields): void {
    this.#frames.push({ event: type, data: JSON.stringify({ type, ...fields }) });
  }
}

import type { Refusal } from '../../base/errors/refusal.ts';
import { textOf } from '../../base/json/read-json.ts';
import type { PartDelta, PartHead, Stop, StreamEvent } from './event.ts';
import type { OpaquePart, RedactedThinkingPart } from './part.ts';
import type { Usage } from './usage.ts';

/** The names that a host gives an answer. Some hosts omit them. */
type AnswerNames = { id?: unknown; model?: unknown };

/** Collects the events that a decoder makes of one stream. Parts are numbered from 0. */
export class DecodedEvents {
  #events: StreamEvent[] = [];
  #partCount = 0;
  #responseId: string | undefined;
  #hasEnded = false;

  /** The host's id of the answer, or '' if it gave none. Undefined until the answer has started. */
  get responseId(): string | undefined {
    return this.#responseId;
  }

  /** The number of parts that have begun. */
  get partCount(): number {
    return this.#partCount;
  }

  /** True once the answer has ended or failed. A decoder ignores all frames after that. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Returns the events since the last call. */
  take(): StreamEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }

  /** Starts the answer, unless it has started before. */
  start({ id, model }: AnswerNames = {}): void {
    if (this.#responseId !== undefined) return;
    this.#responseId = textOf(id) ?? '';
    this.#push({ type: 'response-start', responseId: this.#responseId, model: textOf(model) ?? '' });
  }

  /** Begins a part, and returns its number. */
  beginPart(part: PartHead): number {
    const index = this.#partCount++;
    this.#push({ type: 'part-start', index, part });
    return index;
  }

  growPart(index: number, delta: PartDelta): void {
    this.#push({ type: 'part-delta', index, delta });
  }

  endPart(index: number): void {
    this.#push({ type: 'part-end', index });
  }

  /** Adds a part that is complete in its head. */
  addPart(part: OpaquePart | RedactedThinkingPart): void {
    this.endPart(this.beginPart(part));
  }

  /** Adds a report of usage, unless the host's report counts nothing that is charged. */
  addUsage(usage: Usage | undefined): void {
    if (usage !== undefined) this.#push({ type: 'usage', usage });
  }

  end(stop: Stop): void {
    this.#hasEnded = true;
    this.#push({ type: 'response-end', stop });
  }

  fail(refusal: Refusal): void {
    this.#hasEnded = true;
    this.#push({ type: 'response-error', refusal });
  }

  #push(event: StreamEvent): void {
    this.#events.push(event);
  }
}

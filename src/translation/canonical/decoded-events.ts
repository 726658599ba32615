import type { PartDelta, PartHead, StreamEvent } from './event.ts';
import type { OpaquePart } from './part.ts';

/** Collects the events that a decoder makes of a stream, and numbers their parts. */
export class DecodedEvents {
  #events: StreamEvent[] = [];
  #partCount = 0;

  /** The number of parts that have begun. */
  get partCount(): number {
    return this.#partCount;
  }

  /** Returns the events since the last call. */
  take(): StreamEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }

  push(event: StreamEvent): void {
    this.#events.push(event);
  }

  /** Begins a part, and returns its number. */
  beginPart(part: PartHead): number {
    const index = this.#partCount++;
    this.push({ type: 'part-start', index, part });
    return index;
  }

  growPart(index: number, delta: PartDelta): void {
    this.push({ type: 'part-delta', index, delta });
  }

  endPart(index: number): void {
    this.push({ type: 'part-end', index });
  }

  /** Adds a part that is complete in its head. */
  addPart(part: OpaquePart): void {
    this.endPart(this.beginPart(part));
  }
}

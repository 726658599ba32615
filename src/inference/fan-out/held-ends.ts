import type { BodyWriter } from '../../edge/http/reply.ts';
import type { PartStep } from './part-steps.ts';
import type { SplitRequest } from './split-request.ts';

type EndOfPart = Extract<PartStep, { closing: string }>;

/** Holds the ends of parts until every part has begun. Clients need every part to begin before one ends. */
export class HeldEnds {
  readonly #split: SplitRequest;
  readonly #begun = new Set<number>();
  #unfinished: number;
  #held: EndOfPart[] = [];

  constructor(split: SplitRequest) {
    this.#split = split;
    this.#unfinished = split.parts.length;
  }

  onBegun(index: number): void {
    this.#begun.add(index);
  }

  hold(end: EndOfPart): void {
    this.#held.push(end);
    this.#unfinished--;
  }

  get haveAllEnded(): boolean {
    return this.#unfinished === 0;
  }

  /** The ends that are still to be written. */
  get text(): string {
    return this.#held.map(({ closing }) => closing).join('');
  }

  async writeIfAllBegan(writer: BodyWriter): Promise<void> {
    if (this.#begun.size === this.#split.parts.length) await this.write(writer);
  }

  async write(writer: BodyWriter): Promise<void> {
    const { text } = this;
    const held = this.#held;
    if (held.length === 0) return;
    this.#held = [];
    await writer.write(text);
    for (const { index } of held) this.#split.parts[index]!.usage.isFinished = true;
  }
}

import { CountedText } from '../../canonical/counted-text.ts';
import { billedUsage, estimateUsage } from '../../canonical/estimate-usage.ts';
import { addAnswer, laterUsage, type Usage } from '../../canonical/usage.ts';
import type { AnswerLabel } from '../../contract/answer-label.ts';
import type { Chunk } from './openai-answer.ts';
import { findWholeUsage, formatUsage, readUsage } from './openai-usage.ts';
import { shownUsage } from './shown-usage.ts';

/** A usage chunk that the gateway adds. `usage`: the usage that its text has. */
export type OwedChunk = { text: string; usage: Usage };

/**
 * Collects the usage that the chunks of one stream report.
 * A client that asked for usage gets it, whatever the host sends.
 */
export class ChunkUsage {
  readonly #label: AnswerLabel;
  #first: Chunk | undefined;
  #reported: Usage | undefined;
  /** The usage of each choice, at hosts that report it there. */
  #byChoice: Map<number, Usage> | undefined;
  #isShown = false;

  readonly answerText: CountedText;

  constructor(label: AnswerLabel) {
    this.#label = label;
    this.answerText = new CountedText(label.estimate);
  }

  /** Returns the usage that the stream has reported up to and including this chunk. */
  read(chunk: Chunk): Usage | undefined {
    this.#first ??= chunk;
    const usage = findWholeUsage(chunk) ?? this.#readChoices(chunk);
    if (usage === undefined) return undefined;
    this.#reported = laterUsage(this.#reported, usage);
    return this.#reported;
  }

  /**
   * Returns the usage to show in this chunk, or undefined if the chunk's own usage can stay. Unreadable usage
   * becomes null.
   */
  shown({ usage }: Chunk): string | undefined {
    if (usage == null) return undefined;
    if (this.#reported === undefined) return 'null';
    this.#isShown = true;
    return shownUsage(usage, this.#billed(this.#reported));
  }

  /** Reports whether the reported usage is larger than it can be. */
  get isImplausible(): boolean {
    return this.#reported !== undefined && this.#billed(this.#reported).isImplausible === true;
  }

  /** Builds the usage chunk that the host failed to send after its last chunk. */
  owed(): OwedChunk | undefined {
    const { estimate, id, model } = this.#label;
    const reported = this.#reported;
    const usage = estimateUsage({ reported, answerText: this.answerText, isWhole: true, estimate });
    if (this.#isShown && usage === reported) return undefined;
    const { object, created } = this.#first ?? {};
    const chunk = { id, object, created, model, choices: [], usage: formatUsage(this.#billed(usage)) };
    return { text: `data: ${JSON.stringify(chunk)}\n\n`, usage };
  }

  /** Returns the sum of the usage that choices have reported. Undefined if this chunk has none. */
  #readChoices(chunk: Chunk): Usage | undefined {
    let hasUsage = false;
    for (const choice of chunk.choices ?? []) {
      const usage = readUsage(choice.usage, chunk.service_tier);
      if (!usage) continue;
      hasUsage = true;
      const { index = 0 } = choice;
      this.#byChoice ??= new Map();
      this.#byChoice.set(index, laterUsage(this.#byChoice.get(index), usage));
    }
    return hasUsage ? this.#byChoice?.values().reduce(addAnswer) : undefined;
  }

  #billed(usage: Usage): Usage {
    return billedUsage(usage, this.#label.estimate);
  }
}

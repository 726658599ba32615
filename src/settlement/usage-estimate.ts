import { estimateUsage } from '../canonical/estimate-usage.ts';
import type { Estimator } from '../canonical/estimator.ts';
import type { Said } from '../canonical/said.ts';
import { inputTotal, outputTotal, type Usage } from '../canonical/usage.ts';

/** What an answer has come to so far. */
export type Produced = {
  reported: Usage | undefined;
  said: Said;
  isWhole: boolean;
  /** How long the upstream was silent before its first text. */
  silentMs?: number;
};

export type EstimateParts = {
  /** Estimated. */
  input(): number;
  text(text: string): number;
  /** Counted; undefined where that cannot be done. */
  countInput(): Promise<number | undefined>;
  countText(text: string): Promise<number>;
  /** How much of the input an upstream is likely to have read from its cache. */
  cachedInput(input: number): number;
  /** Whether the model is likely to have thought without showing it. */
  hidesReasoning(): boolean;
};

/** No model thinks slower: what it hides is charged at least by the time that it took. */
const REASONING_TOKENS_PER_SECOND = 25;

/** Counts what an upstream does not: of answers that never came to their end, as exactly as can be done. */
export class UsageEstimate implements Estimator {
  readonly #parts: EstimateParts;
  #input: number | undefined;
  #countedInput: Promise<number | undefined> | undefined;

  constructor(parts: EstimateParts) {
    this.#parts = parts;
  }

  input(): number {
    this.#input ??= this.#parts.input();
    return this.#input;
  }

  text(text: string): number {
    return this.#parts.text(text);
  }

  /** At once. */
  soFar(produced: Produced): Usage {
    const { reported, said, isWhole } = produced;
    const usage = estimateUsage({ reported, said, isWhole, estimate: this });
    return usage.isEstimated && !isWhole ? this.#completed(usage, produced) : usage;
  }

  /** With a count of the text, and of the prompt where the upstream has not told it. */
  async counted(produced: Produced): Promise<Usage> {
    const usage = this.soFar(produced);
    if (!usage.isEstimated || produced.isWhole) return usage;
    const { reported, said } = produced;
    const isInputTold = reported !== undefined && inputTotal(reported) > 0;
    const [input, text] = await Promise.all([
      isInputTold ? undefined : this.#countInput(),
      said.count((written) => this.#parts.countText(written)),
    ]);
    this.#input = input ?? this.#input;
    const visible = Math.max(text, reported ? outputTotal(reported) : 0);
    return this.#completed({ ...usage, output: { visible } }, produced);
  }

  /** Of one of several prompts. */
  ofOne(prompts: number): UsageEstimate {
    const share = (tokens: number): number => Math.ceil(tokens / prompts);
    return new UsageEstimate({
      ...this.#parts,
      input: () => share(this.input()),
      countInput: async () => {
        const counted = await this.#countInput();
        return counted === undefined ? undefined : share(counted);
      },
    });
  }

  #countInput(): Promise<number | undefined> {
    this.#countedInput ??= this.#parts.countInput();
    return this.#countedInput;
  }

  #completed(usage: Usage, { reported, silentMs = 0 }: Produced): Usage {
    const isInputTold = reported !== undefined && inputTotal(reported) > 0;
    const isOutputTold = usage.output === reported?.output;
    const hides = !isOutputTold && this.#parts.hidesReasoning();
    const thinking = hides ? Math.floor((silentMs / 1_000) * REASONING_TOKENS_PER_SECOND) : 0;
    return {
      input: isInputTold ? reported.input : this.#likelyInput(),
      output: thinking > 0 ? { ...usage.output, thinking } : usage.output,
      isEstimated: true,
    };
  }

  #likelyInput(): Usage['input'] {
    const total = this.input();
    const cacheRead = this.#parts.cachedInput(total);
    return cacheRead > 0 ? { uncached: total - cacheRead, cacheRead } : { uncached: total };
  }
}

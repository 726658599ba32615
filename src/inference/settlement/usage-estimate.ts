import type { BillingBounds } from '../../translation/canonical/bound-usage.ts';
import { estimateUsage } from '../../translation/canonical/estimate-usage.ts';
import type { Estimator } from '../../translation/canonical/estimator.ts';
import type { CanonicalRequest } from '../../translation/canonical/request.ts';
import type { Said } from '../../translation/canonical/said.ts';
import { inputTotal, outputTotal, type Usage } from '../../translation/canonical/usage.ts';

/** What an answer has come to so far. */
export type Produced = {
  /** What is known of its usage: as the upstream told it, or as it was estimated where the answer has ended without. */
  reported: Usage | undefined;
  /** The upstream's own last word of it. */
  told: Usage | undefined;
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
  /** The most tokens that its text can be. */
  mostText: number;
  /** Bounds what an upstream counted by what the request can have used. */
  belief?: Pick<Estimator, 'billed' | 'bounds'> | undefined;
  /** What `text` goes by. */
  family: NonNullable<Estimator['family']>;
  /** The same of one of several parts that the request was split into. */
  ofPart?(part: CanonicalRequest): EstimateParts;
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

  get mostText(): number {
    return this.#parts.mostText;
  }

  billed(known: Usage): Usage {
    return this.#parts.belief?.billed?.(known) ?? known;
  }

  bounds(): BillingBounds | undefined {
    return this.#parts.belief?.bounds?.();
  }

  get family(): EstimateParts['family'] {
    return this.#parts.family;
  }

  /** At once. */
  soFar(produced: Produced): Usage {
    const { reported, said, isWhole } = produced;
    const usage = estimateUsage({ reported, said, isWhole, estimate: this });
    return usage.isEstimated && !isWhole ? this.#completed(usage.output, produced) : usage;
  }

  /** Of an answer that nobody waits for: with a count of what the upstream has not told. */
  async counted(produced: Produced): Promise<Usage> {
    const usage = this.soFar(produced);
    if (!usage.isEstimated) return usage;
    const { told, said, isWhole } = produced;
    const toldOutput = told ? outputTotal(told) : 0;
    const [input, text] = await Promise.all([
      told && inputTotal(told) > 0 ? undefined : this.#countInput(),
      said.count((written) => this.#parts.countText(written)),
    ]);
    this.#input = input ?? this.#input;
    const isOutputTold = told && toldOutput > 0 && (isWhole || toldOutput >= text);
    return this.#completed(isOutputTold ? told.output : { visible: Math.min(text, this.mostText) }, produced);
  }

  /** Of one of several parts that the request was split into. */
  ofPart(part: CanonicalRequest): UsageEstimate {
    const { ofPart } = this.#parts;
    return ofPart ? new UsageEstimate(ofPart(part)) : this;
  }

  #countInput(): Promise<number | undefined> {
    this.#countedInput ??= this.#parts.countInput();
    return this.#countedInput;
  }

  #completed(output: Usage['output'], { told, silentMs = 0 }: Produced): Usage {
    const isInputTold = told !== undefined && inputTotal(told) > 0;
    const hides = output !== told?.output && this.#parts.hidesReasoning();
    const thinking = hides ? Math.floor((silentMs / 1_000) * REASONING_TOKENS_PER_SECOND) : 0;
    return {
      input: isInputTold ? told.input : this.#likelyInput(),
      output: thinking > 0 ? { ...output, thinking } : output,
      isEstimated: true,
    };
  }

  #likelyInput(): Usage['input'] {
    const total = this.input();
    const cacheRead = this.#parts.cachedInput(total);
    return cacheRead > 0 ? { uncached: total - cacheRead, cacheRead } : { uncached: total };
  }
}

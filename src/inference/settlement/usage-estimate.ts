import type { BillingBounds } from '../../translation/canonical/bound-usage.ts';
import { estimateUsage } from '../../translation/canonical/estimate-usage.ts';
import type { Estimator } from '../../translation/canonical/estimator.ts';
import type { MeteredAsk } from '../../translation/canonical/metered.ts';
import type { CanonicalRequest } from '../../translation/canonical/request.ts';
import type { Said } from '../../translation/canonical/said.ts';
import { inputTotal, outputTotal, type Usage } from '../../translation/canonical/usage.ts';
import { laterDetail } from '../../translation/canonical/usage-detail.ts';

/** The progress of an answer. */
export type Produced = {
  /** The known usage, as the upstream reported it. If the answer ended without a report, an estimate. */
  reported: Usage | undefined;
  /** The upstream's own last report. */
  told: Usage | undefined;
  said: Said;
  isWhole: boolean;
  /** The milliseconds of silence before the upstream's first text. */
  silentMs?: number;
};

export type EstimateParts = {
  /** Estimates the input tokens. */
  input(): number;
  text(text: string): number;
  /** Counts the input tokens. Undefined if they cannot be counted. */
  countInput(): Promise<number | undefined>;
  countText(text: string): Promise<number>;
  /** Estimates how many of the input tokens the upstream read from its cache. */
  cachedInput(input: number): number;
  /** Reports whether the model probably thought without showing it. */
  hidesReasoning(): boolean;
  /** The most tokens that the answer's text can have. */
  mostText: number;
  /** Bounds the upstream's count by what the request can have used. */
  belief?: Pick<Estimator, 'billed' | 'bounds'> | undefined;
  /** The token family that `text` uses. */
  family: NonNullable<Estimator['family']>;
  /** What a request to a metered endpoint asks for. Its tokens are not estimated. */
  metered?: MeteredAsk | undefined;
  /** Returns the same for one of several parts that the request was split into. */
  ofPart?(part: CanonicalRequest): EstimateParts;
};

/** The slowest pace at which models think. Hidden thinking is charged at least by its duration. */
const REASONING_TOKENS_PER_SECOND = 25;

/** Adds the searches that an unfinished answer has shown. Vendors count them at the end. */
const withSearches = (usage: Usage, { searches }: Said): Usage =>
  searches === 0
    ? usage
    : { ...usage, detail: laterDetail(usage.detail, { counts: { web_search: searches } }) };

/** The upstream has the whole request, so a client that leaves owes what it asked for. */
const askedUsage = ({ counts, image, likely = counts }: MeteredAsk): Usage => ({
  input: { uncached: 0 },
  output: { visible: 0 },
  isEstimated: true,
  detail: { metered: { counts: likely, image } },
});

/** Estimates the usage that an upstream does not report. Answers that never ended are counted as exactly as possible. */
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

  /** Metered answers have no usage before their end. */
  get isMetered(): boolean {
    return this.#parts.metered !== undefined;
  }

  get family(): EstimateParts['family'] {
    return this.#parts.family;
  }

  /** Returns the usage so far, without waiting for a count. */
  soFar(produced: Produced): Usage {
    const { reported, said, isWhole } = produced;
    const { metered } = this.#parts;
    if (metered) return reported ?? askedUsage(metered);
    const usage = estimateUsage({ reported, said, isWhole, estimate: this });
    if (isWhole) return usage;
    return withSearches(usage.isEstimated ? this.#completed(usage.output, produced) : usage, said);
  }

  /** Returns the usage of an answer that no client waits for. Tokens that the upstream did not report are counted. */
  async counted(produced: Produced): Promise<Usage> {
    const soFar = this.soFar(produced);
    if (!soFar.isEstimated || this.isMetered) return soFar;
    const { told, said, isWhole } = produced;
    const toldOutput = told ? outputTotal(told) : 0;
    const [input, text] = await Promise.all([
      told && inputTotal(told) > 0 ? undefined : this.#countInput(),
      said.count((written) => this.#parts.countText(written)),
    ]);
    this.#input = input ?? this.#input;
    const isOutputTold = told && toldOutput > 0 && (isWhole || toldOutput >= text);
    const output = isOutputTold ? told.output : { visible: Math.min(text, this.mostText) };
    const usage = this.#completed(output, produced);
    return isWhole ? usage : withSearches(usage, said);
  }

  /** Returns the estimate for one of several parts that the request was split into. */
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
      ...(told?.detail && { detail: told.detail }),
    };
  }

  #likelyInput(): Usage['input'] {
    const total = this.input();
    const cacheRead = this.#parts.cachedInput(total);
    return cacheRead > 0 ? { uncached: total - cacheRead, cacheRead } : { uncached: total };
  }
}

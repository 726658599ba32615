import type { BillingBounds } from '../../translation/canonical/bound-usage.ts';
import { mergeDetails } from '../../translation/canonical/combine-details.ts';
import type { CountedText } from '../../translation/canonical/counted-text.ts';
import { estimateUsage } from '../../translation/canonical/estimate-usage.ts';
import type { Estimator } from '../../translation/canonical/estimator.ts';
import type { MeteredAsk } from '../../translation/canonical/metered.ts';
import type { CanonicalRequest } from '../../translation/canonical/request.ts';
import { inputTotal, outputTotal, type Usage } from '../../translation/canonical/usage.ts';

/** The progress of an answer. */
export type AnswerProgress = {
  /**
   * The usage so far, as the upstream reported it. It is an estimate if the answer ended without a report.
   */
  known: Usage | undefined;
  /** The upstream's own last report. */
  reported: Usage | undefined;
  answerText: CountedText;
  isWhole: boolean;
  /** The milliseconds of silence before the upstream's first text. */
  silentMs?: number;
};

/** Estimates and counts what the usage of an answer is made of. */
export type EstimateSource = {
  /** Estimates the input tokens. */
  input(): number;
  text(text: string): number;
  /** Counts the input tokens. */
  countInput(): Promise<number>;
  countText(text: string): Promise<number>;
  /** Estimates how many of the input tokens the upstream read from its cache. */
  cachedInput(input: number): number;
  /** Reports whether the model probably thought without showing it. */
  hidesReasoning(): boolean;
  /** The most tokens that the answer's text can have. */
  readonly maxText: number;
  /** Bounds the upstream's count by what the request can have used. */
  readonly belief?: Pick<Estimator, 'billed' | 'bounds'> | undefined;
  /** The token family that `text` uses. */
  readonly family: NonNullable<Estimator['family']>;
  /** The quantities that a request to a metered endpoint asks for. Its tokens are not estimated. */
  readonly metered?: MeteredAsk | undefined;
  /** Returns the same for one of several parts that the request was split into. */
  ofPart?(part: CanonicalRequest): EstimateSource;
};

/** The slowest pace at which models think. Hidden thinking is charged at least by its duration. */
const REASONING_TOKENS_PER_SECOND = 25;

/** Adds the searches that an unfinished answer has shown. Vendors count them at the end. */
const withSearches = (usage: Usage, { searches }: CountedText): Usage =>
  searches === 0
    ? usage
    : { ...usage, detail: mergeDetails(usage.detail, { counts: { web_search: searches } }) };

/** The upstream has the whole request, so a client that leaves owes what it asked for. */
const askedUsage = ({ counts, image, likely = counts }: MeteredAsk): Usage => ({
  input: { uncached: 0 },
  output: { visible: 0 },
  isEstimated: true,
  detail: { metered: { counts: likely, image } },
});

/**
 * Estimates the usage that an upstream does not report. Answers that never ended are counted as exactly as
 * possible.
 */
export class UsageEstimate implements Estimator {
  readonly #source: EstimateSource;
  #input: number | undefined;
  #countedInput: Promise<number> | undefined;

  constructor(source: EstimateSource) {
    this.#source = source;
  }

  input(): number {
    this.#input ??= this.#source.input();
    return this.#input;
  }

  text(text: string): number {
    return this.#source.text(text);
  }

  get maxText(): number {
    return this.#source.maxText;
  }

  billed(usage: Usage): Usage {
    return this.#source.belief?.billed?.(usage) ?? usage;
  }

  bounds(): BillingBounds | undefined {
    return this.#source.belief?.bounds?.();
  }

  /** Metered answers have no usage before their end. */
  get isMetered(): boolean {
    return this.#source.metered !== undefined;
  }

  get family(): EstimateSource['family'] {
    return this.#source.family;
  }

  /** Returns the usage so far, without waiting for a count. */
  soFar(produced: AnswerProgress): Usage {
    const { known, answerText, isWhole } = produced;
    const { metered } = this.#source;
    if (metered) return known ?? askedUsage(metered);
    const usage = estimateUsage({ reported: known, answerText, isWhole, estimate: this });
    if (isWhole) return usage;
    return withSearches(usage.isEstimated ? this.#completed(usage.output, produced) : usage, answerText);
  }

  /**
   * Returns the usage of an answer that no client waits for. Tokens that the upstream did not report are
   * counted.
   */
  async counted(produced: AnswerProgress): Promise<Usage> {
    const soFar = this.soFar(produced);
    if (!soFar.isEstimated || this.isMetered) return soFar;
    const { reported, answerText, isWhole } = produced;
    const reportedOutput = reported ? outputTotal(reported) : 0;
    const [input, text] = await Promise.all([
      reported && inputTotal(reported) > 0 ? undefined : this.#countInput(),
      answerText.count((written) => this.#source.countText(written)),
    ]);
    this.#input = input ?? this.#input;
    const isOutputReported = reported && reportedOutput > 0 && (isWhole || reportedOutput >= text);
    const output = isOutputReported ? reported.output : { visible: Math.min(text, this.maxText) };
    const usage = this.#completed(output, produced);
    return isWhole ? usage : withSearches(usage, answerText);
  }

  /** Returns the estimate for one of several parts that the request was split into. */
  ofPart(part: CanonicalRequest): UsageEstimate {
    const source = this.#source.ofPart?.(part);
    return source ? new UsageEstimate(source) : this;
  }

  #countInput(): Promise<number> {
    this.#countedInput ??= this.#source.countInput();
    return this.#countedInput;
  }

  #completed(output: Usage['output'], { reported, silentMs = 0 }: AnswerProgress): Usage {
    const isInputReported = reported !== undefined && inputTotal(reported) > 0;
    const hides = output !== reported?.output && this.#source.hidesReasoning();
    const thinking = hides ? Math.floor((silentMs / 1_000) * REASONING_TOKENS_PER_SECOND) : 0;
    return {
      input: isInputReported ? reported.input : this.#likelyInput(),
      output: thinking > 0 ? { ...output, thinking } : output,
      isEstimated: true,
      ...(reported?.detail && { detail: reported.detail }),
    };
  }

  #likelyInput(): Usage['input'] {
    const total = this.input();
    const cacheRead = this.#source.cachedInput(total);
    return cacheRead > 0 ? { uncached: total - cacheRead, cacheRead } : { uncached: total };
  }
}

import type { Refusal } from '../../../base/errors/refusal.ts';
import type { JsonObject } from '../../../base/json/json-body.ts';
import { parseObject } from '../../../base/json/read-json.ts';
import { isObject } from '../../../base/lib/is-object.ts';
import { CountedText } from '../../canonical/counted-text.ts';
import { billedUsage, estimateUsage } from '../../canonical/estimate-usage.ts';
import type { Usage } from '../../canonical/usage.ts';
import type { AnswerLabel } from '../../contract/answer-label.ts';
import { END_OF_STREAM, type Frame } from '../../contract/frame.ts';
import type { FrameMeaning, FrameReader } from '../../contract/frame-reader.ts';
import { asOneLine } from '../../framing/as-one-line.ts';
import { formatFrame } from '../../framing/format-frame.ts';
import { addAnswerText, candidatesOf } from './answer-chunk.ts';
import { failureChunk } from './blocked-prompt.ts';
import { CandidateProgress } from './candidate-progress.ts';
import { checkNotBlocked, checkNotFailed } from './check-answer.ts';
import { labelChunk, unlessShown } from './label-chunk.ts';
import { type ReportedCounts, usageOf } from './reported-counts.ts';
import { addCounts, hasValidCounts } from './usage.ts';

/** A chunk that is held back, as one line of text and as a value. */
type HeldChunk = { text: string; chunk: JsonObject };

/** The end of a body whose answer has not ended. */
const CUT: FrameMeaning = { text: '', begins: false, closes: false };

/** Reads the stream of Google's wire for a client that speaks the same protocol. */
export class GoogleChunkReader implements FrameReader {
  readonly answerText: CountedText;
  readonly #label: AnswerLabel;
  readonly #candidates = new CandidateProgress();
  /** Chunks after the end of all candidates. They wait until the usage is known. */
  readonly #held: HeldChunk[] = [];
  #counts: ReportedCounts = {};

  constructor(label: AnswerLabel) {
    this.#label = label;
    this.answerText = new CountedText(label.estimate);
  }

  read({ event, data }: Frame): FrameMeaning {
    if (event === END_OF_STREAM.event) return this.#finish();
    const chunk = parseObject(data);
    checkNotFailed(chunk);
    if (!this.#candidates.hasContent) checkNotBlocked(chunk);
    for (const candidate of candidatesOf(chunk)) {
      this.#candidates.add(candidate);
      addAnswerText(this.answerText, candidate);
    }
    this.#counts = addCounts(this.#counts, chunk.usageMetadata);
    return this.#passOrHold(asOneLine(data), chunk);
  }

  /** Returns the text that ends a failing stream. */
  fail(refusal: Refusal): string {
    const names = { responseId: this.#label.id, modelVersion: this.#label.model };
    const chunk = failureChunk(refusal, { names, hasBegun: this.#candidates.hasContent });
    return formatFrame({ data: JSON.stringify(chunk) });
  }

  /** Returns the text of a chunk now, or holds the chunk if all candidates have ended. */
  #passOrHold(text: string, chunk: JsonObject): FrameMeaning {
    const { usageMetadata } = chunk;
    const usage = isObject(usageMetadata) ? usageOf(this.#counts) : undefined;
    const reported = usage && { usage };
    const begins = this.#candidates.hasContent;
    if (this.#candidates.hasEnded) {
      this.#held.push({ text, chunk });
      return { text: '', begins, closes: true, ...reported };
    }
    const billed = usage && billedUsage(usage, this.#label.estimate);
    const isReplaced = billed?.isImplausible || !hasValidCounts(usageMetadata);
    const shown = this.#format(text, chunk, isReplaced ? billed : undefined);
    return { text: shown, begins, closes: false, ...reported };
  }

  /** No frame of this protocol is marked as the last, so the end of the body is the end of the answer. */
  #finish(): FrameMeaning {
    if (!this.#candidates.hasEnded) return CUT;
    const { estimate } = this.#label;
    const reported = usageOf(this.#counts);
    const usage = estimateUsage({ reported, answerText: this.answerText, isWhole: true, estimate });
    const text = this.#formatHeld(billedUsage(usage, estimate));
    return { text, begins: true, closes: true, ends: true, usage };
  }

  /** Formats the held chunks. The last one with a usage shows the billed usage, or else the last of all. */
  #formatHeld(billed: Usage): string {
    const withUsage = this.#held.findLastIndex(({ chunk }) => isObject(chunk.usageMetadata));
    const shown = withUsage < 0 ? this.#held.length - 1 : withUsage;
    return this.#held
      .map(({ text, chunk }, index) =>
        this.#format(text, chunk, index === shown ? unlessShown(chunk, billed) : undefined),
      )
      .join('');
  }

  #format(text: string, chunk: JsonObject, usage: Usage | undefined): string {
    return formatFrame({ data: labelChunk(text, chunk, { label: this.#label, usage }) });
  }
}

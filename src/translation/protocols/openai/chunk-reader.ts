import { patchText } from '../../../base/json/patch-json.ts';
import { listOf, objectOf, textOf } from '../../../base/json/read-json.ts';
import { unixSeconds } from '../../../base/lib/unix-seconds.ts';
import type { CountedText } from '../../canonical/counted-text.ts';
import type { AnswerLabel } from '../../contract/answer-label.ts';
import { END_OF_BODY, type Frame } from '../../contract/frame.ts';
import type { FrameMeaning, FrameReader } from '../../contract/frame-reader.ts';
import { asOneLine } from '../../framing/as-one-line.ts';
import { DONE } from '../../framing/done.ts';
import { CallNumbers } from './call-numbers.ts';
import { type ChunkPattern, patternOf } from './chunk-pattern.ts';
import { ChunkUsage } from './chunk-usage.ts';
import { createChunkPatcher } from './create-chunk-patcher.ts';
import { flattenContent } from './flatten-content.ts';
import {
  type Chunk,
  type ChunkWithChoices,
  choicesWithoutUsage,
  labelPatch,
  type OpenaiChoice,
  parseChunk,
  refuseFailed,
} from './openai-answer.ts';

/** The patterns that are tried in one stream. Chunks of some hosts differ in more than their text. */
const MAX_PATTERNS = 4;

type ChunkReaderOptions = {
  label: AnswerLabel;
  /** True if the client asked for usage. The gateway always asks the upstream for it. */
  showsUsage: boolean;
  /** The number of answers in the stream. The stream closes when all have ended. */
  choices: number;
};

/** Reads chat or legacy completions for a client that speaks the same protocol. */
export class ChunkReader implements FrameReader {
  readonly #showsUsage: boolean;
  readonly #choices: number;
  readonly #usage: ChunkUsage;
  readonly #patch: (text: string, chunk: Chunk) => string;
  /** The indexes of the answers that have ended. */
  readonly #ended = new Set<number>();
  #begun = false;
  /** The time of the stream, if its host omits it. */
  #createdAt: number | undefined;
  /** True for legacy completions, whose last chunk can have no choice. */
  #isLegacy = false;
  #callNumbers: CallNumbers | undefined;
  #pattern: ChunkPattern | undefined;
  #triedPatterns = 0;

  constructor({ label, showsUsage, choices }: ChunkReaderOptions) {
    this.#showsUsage = showsUsage;
    this.#choices = choices;
    this.#usage = new ChunkUsage(label);
    this.#patch = createLabelPatcher(label, showsUsage ? undefined : null);
  }

  get answerText(): CountedText {
    return this.#usage.answerText;
  }

  read({ data }: Frame): FrameMeaning {
    const pattern = this.#pattern;
    const piece = pattern?.textIn(data);
    if (pattern && piece !== undefined) {
      this.answerText.add(piece);
      this.#begun ||= piece !== '';
      return { text: pattern.show(piece), begins: this.#begun, closes: this.#hasEnded };
    }
    // Some hosts never send `[DONE]`.
    // Conversely, `[DONE]` before any choice has finished does not complete an answer.
    if (data === DONE || data === END_OF_BODY.data)
      return lastFrame(this.#ended.size > 0, this.#showsUsage ? this.#usage.owed() : undefined);
    return this.#readChunk(data);
  }

  get #hasEnded(): boolean {
    return this.#ended.size >= this.#choices;
  }

  #readChunk(data: string): FrameMeaning {
    const { chunk, text: flat } = this.#numberCalls(readFlat(data));
    const { choices } = chunk;
    const isWhole = chunk.object !== undefined && chunk.created !== undefined;
    const written = isWhole ? flat : this.#addHead(flat, chunk);
    for (const choice of choices) {
      refuseFailed(choice);
      if (choice.finish_reason != null) this.#ended.add(choice.index ?? 0);
      this.#begun ||= saysSomething(choice);
    }
    for (const choice of choices) addAnswerText(this.answerText, choice);
    const usage = this.#usage.read(chunk);
    const shownUsage = this.#showsUsage ? this.#usage.shown(chunk) : undefined;
    const isOnlyUsage = usage !== undefined && choices.length === 0;
    const isHidden = isOnlyUsage && !(this.#showsUsage && chunk.usage);
    const shownChoices = usage && this.#usage.isImplausible ? choicesWithoutUsage(choices) : undefined;
    const patched = isHidden ? '' : this.#patch(asOneLine(written), chunk);
    const text = isHidden ? '' : `data: ${replaceCounts(patched, shownUsage, shownChoices)}\n\n`;
    const meaning = { text, begins: this.#begun, closes: this.#hasEnded || isOnlyUsage };
    if (usage) return { ...meaning, usage };
    if (shownUsage === undefined && text !== '') this.#tryPattern(data, text, choices);
    return meaning;
  }

  /** Gives the calls of a chunk indexes of their own. Most chunks have no calls. */
  #numberCalls(read: FlatChunk): FlatChunk {
    const { chunk, text } = read;
    if (!chunk.choices.some(hasCalls)) return read;
    this.#callNumbers ??= new CallNumbers();
    const choices = this.#callNumbers.number(chunk.choices);
    return choices === undefined ? read : withChoices(chunk, choices, text);
  }

  /**
   * Adds the members that some hosts omit from each chunk, to the text and to the value.
   * All chunks of a stream have the same time.
   */
  #addHead(text: string, chunk: ChunkWithChoices): string {
    const { object, created, choices } = chunk;
    this.#createdAt ??= unixSeconds();
    if (choices.length > 0) this.#isLegacy = choices.some((choice) => choice.text !== undefined);
    chunk.object ??= this.#isLegacy ? 'text_completion' : 'chat.completion.chunk';
    chunk.created ??= this.#createdAt;
    return patchText(text, {
      object: object === undefined ? JSON.stringify(chunk.object) : undefined,
      created: created === undefined ? JSON.stringify(chunk.created) : undefined,
    });
  }

  /** Reads later chunks by the pattern of this one, if it has one. */
  #tryPattern(sent: string, shown: string, choices: readonly OpenaiChoice[]): void {
    if (this.#triedPatterns === MAX_PATTERNS) return;
    this.#triedPatterns++;
    this.#pattern = patternOf(sent, shown, choices);
  }
}

/** Creates a patcher that sets the labels. Its patch depends on the fingerprint, which can change once. */
function createLabelPatcher(label: AnswerLabel, usage: null | undefined) {
  let patchChunk: ReturnType<typeof createChunkPatcher> | undefined;
  let fingerprint: unknown;
  return (text: string, chunk: Chunk): string => {
    if (!patchChunk || chunk.system_fingerprint !== fingerprint) {
      fingerprint = chunk.system_fingerprint;
      patchChunk = createChunkPatcher(labelPatch(label, chunk, usage));
    }
    return patchChunk(text, chunk);
  };
}

type FlatChunk = { chunk: ChunkWithChoices; text: string };

/** Reads a chunk. Content lists become texts. */
function readFlat(text: string): FlatChunk {
  const chunk = parseChunk(text);
  const choices = flattenContent(chunk.choices);
  return choices === undefined ? { chunk, text } : withChoices(chunk, choices, text);
}

const withChoices = (chunk: Chunk, choices: OpenaiChoice[], text: string): FlatChunk => ({
  chunk: { ...chunk, choices },
  text: patchText(text, { choices: JSON.stringify(choices) }),
});

const hasCalls = ({ delta }: OpenaiChoice): boolean => Array.isArray(delta?.tool_calls);

function lastFrame(hasEnded: boolean, owed: ReturnType<ChunkUsage['owed']>): FrameMeaning {
  if (!hasEnded) throw new SyntaxError('the stream ended before any answer finished');
  const done = { text: `data: ${DONE}\n\n`, begins: true, closes: true, ends: true };
  return owed ? { ...done, text: owed.text + done.text, usage: owed.usage } : done;
}

const replaceCounts = (text: string, usage: string | undefined, choices: string | undefined): string =>
  usage || choices ? patchText(text, { usage, choices }) : text;

function addAnswerText(answerText: CountedText, { delta, text }: OpenaiChoice): void {
  if (typeof text === 'string') answerText.add(text);
  for (const key in delta) {
    const value = delta[key];
    if (typeof value === 'string' && key !== 'role') answerText.add(value);
  }
  for (const call of listOf(delta?.tool_calls)) {
    answerText.add(textOf(objectOf(objectOf(call).function).arguments) ?? '');
  }
}

/**
 * Reports whether a choice has content.
 * A first chunk often carries only the role, and its upstream may still fail.
 */
const saysSomething = ({ delta, text, finish_reason }: OpenaiChoice): boolean =>
  finish_reason != null ||
  (text != null && text !== '') ||
  Object.entries(delta ?? {}).some(([key, value]) => key !== 'role' && value !== null && value !== '');

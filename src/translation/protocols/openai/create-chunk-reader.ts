import { membersOf, patchJson } from '../../../base/json/patch-json.ts';
import { listOf, objectOf, textOf } from '../../../base/json/read-json.ts';
import type { CountedText } from '../../canonical/counted-text.ts';
import type { AnswerLabel } from '../../contract/answer-label.ts';
import { END_OF_BODY, type Frame } from '../../contract/codec.ts';
import type { FrameMeaning, FrameReader } from '../../contract/frame-reader.ts';
import { RefusedAnswer } from '../../contract/refused-answer.ts';
import { asOneLine } from '../../framing/as-one-line.ts';
import { type ChunkPattern, patternOf } from './chunk-pattern.ts';
import { ChunkUsage } from './chunk-usage.ts';
import { createChunkPatcher } from './create-chunk-patcher.ts';
import { flattenContent } from './flatten-content.ts';
import {
  type Chunk,
  choicesWithoutUsage,
  labelPatch,
  type OpenaiChoice,
  refuseFailed,
} from './openai-answer.ts';
import { readUpstreamError } from './read-upstream-error.ts';

const DONE = '[DONE]';
/** The patterns that are tried in one stream. Chunks of some hosts differ in more than their text. */
const MAX_PATTERNS = 4;

export type ChunkReaderOptions = {
  label: AnswerLabel;
  /** True if the client asked for usage. The gateway always asks the upstream for it. */
  showsUsage: boolean;
  /** The number of answers in the stream. The stream closes when all have ended. */
  choices: number;
};

/** Reads chunks of chat or legacy completions for a client that speaks the same protocol. */
export function createChunkReader({ label, showsUsage, choices }: ChunkReaderOptions): FrameReader {
  const ended = new Set<number>();
  let patchChunk: ReturnType<typeof createChunkPatcher> | undefined;
  let pattern: ChunkPattern | undefined;
  let patterns = 0;
  let fingerprint: unknown;
  let begun = false;
  const reported = new ChunkUsage(label);
  const read = ({ data }: Frame): FrameMeaning => {
    const piece = pattern?.textIn(data);
    if (piece !== undefined) {
      reported.answerText.add(piece);
      begun ||= piece !== '';
      return { text: pattern!.show(piece), begins: begun, closes: ended.size >= choices };
    }
    // Some hosts never send `[DONE]`.
    // Conversely, `[DONE]` before any choice has finished does not complete an answer.
    if (data === DONE || data === END_OF_BODY.data)
      return lastFrame(ended.size > 0, showsUsage ? reported.owed() : undefined);
    const { chunk, text: written } = parseChunk(data);
    for (const choice of chunk.choices) {
      refuseFailed(choice);
      if (choice.finish_reason != null) ended.add(choice.index ?? 0);
      begun ||= saysSomething(choice);
    }
    if (!patchChunk || chunk.system_fingerprint !== fingerprint) {
      fingerprint = chunk.system_fingerprint;
      patchChunk = createChunkPatcher(labelPatch(label, chunk, showsUsage ? undefined : null));
    }
    for (const choice of chunk.choices) addAnswerText(reported.answerText, choice);
    const usage = reported.read(chunk);
    const onlyUsage = usage !== undefined && chunk.choices.length === 0;
    const isHidden = onlyUsage && !(showsUsage && chunk.usage);
    const shown = showsUsage ? reported.shown(chunk) : undefined;
    const choicesShown = usage && reported.isImplausible ? choicesWithoutUsage(chunk.choices) : undefined;
    const patched = isHidden ? '' : patchChunk(asOneLine(written), chunk);
    const text = isHidden ? '' : `data: ${replaceCounts(patched, shown, choicesShown)}\n\n`;
    const meaning = { text, begins: begun, closes: ended.size >= choices || onlyUsage };
    if (usage) return { ...meaning, usage };
    if (patterns < MAX_PATTERNS && shown === undefined && text !== '') {
      patterns++;
      pattern = patternOf(data, text, chunk.choices);
    }
    return meaning;
  };
  return Object.assign(read, { answerText: reported.answerText });
}

type ReadChunk = { chunk: Chunk & Required<Pick<Chunk, 'choices'>>; text: string };

/** Reads a chunk. Content lists become texts. */
function parseChunk(text: string): ReadChunk {
  const chunk = JSON.parse(text) as Chunk;
  if (chunk.error != null) throw new RefusedAnswer(readUpstreamError(chunk.error));
  const { choices } = chunk;
  if (!Array.isArray(choices)) throw new SyntaxError('the chunk has no choices');
  const flat = flattenContent(choices);
  if (flat === undefined) return { chunk: chunk as ReadChunk['chunk'], text };
  const patched = patchJson(text, membersOf(text), { choices: JSON.stringify(flat) });
  return { chunk: { ...chunk, choices: flat }, text: patched };
}

function lastFrame(hasEnded: boolean, owed: ReturnType<ChunkUsage['owed']>): FrameMeaning {
  if (!hasEnded) throw new SyntaxError('the stream ended before any answer finished');
  const done = { text: `data: ${DONE}\n\n`, begins: true, closes: true, ends: true };
  return owed ? { ...done, text: owed.text + done.text, usage: owed.usage } : done;
}

const replaceCounts = (text: string, usage: string | undefined, choices: string | undefined): string =>
  usage || choices ? patchJson(text, membersOf(text), { usage, choices }) : text;

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

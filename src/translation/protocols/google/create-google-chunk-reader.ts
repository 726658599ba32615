import type { JsonObject } from '../../../base/json/json-body.ts';
import { parseObject } from '../../../base/json/read-json.ts';
import { isObject } from '../../../base/lib/is-object.ts';
import { CountedText } from '../../canonical/counted-text.ts';
import { billedUsage, estimateUsage } from '../../canonical/estimate-usage.ts';
import type { AnswerLabel } from '../../contract/answer-label.ts';
import type { Frame } from '../../contract/codec.ts';
import type { FrameMeaning, FrameReader } from '../../contract/frame-reader.ts';
import { asOneLine } from '../../framing/as-one-line.ts';
import { countOf } from '../../framing/count-of.ts';
import { formatFrame } from '../../framing/format-frame.ts';
import {
  addAnswerText,
  candidatesOf,
  labelChunk,
  partsOf,
  refuseFailed,
  unlessShown,
} from './answer-chunk.ts';
import { failureChunk } from './blocked-prompt.ts';
import { closingFrame } from './explode.ts';
import { addCounts, type Counts, hasOnlyCounts, usageOf } from './usage.ts';

type ReadChunk = { text: string; chunk: JsonObject };

const CUT: FrameMeaning = { text: '', begins: false, closes: false };

/** Reads the stream of Google's wire for a client that speaks the same protocol. */
export function createGoogleChunkReader(label: AnswerLabel): FrameReader {
  const { estimate } = label;
  const answerText = new CountedText(estimate);
  const begun = new Set<number>();
  const ended = new Set<number>();
  /** The last chunks, whose usage is known with the end of the body. */
  const held: ReadChunk[] = [];
  let counts: Counts = {};
  let begins = false;
  const readCandidate = (candidate: JsonObject) => {
    const index = countOf(candidate.index) ?? 0;
    begun.add(index);
    if (candidate.finishReason != null) ended.add(index);
    begins ||= candidate.finishReason != null || partsOf(candidate).some(saysSomething);
    addAnswerText(answerText, candidate);
  };
  const read = (frame: Frame): FrameMeaning => {
    if (frame.event === closingFrame.event) return finish();
    const chunk = parseObject(frame.data);
    if (!begins) refuseFailed(chunk);
    else if (chunk.error !== undefined) refuseFailed({ error: chunk.error });
    for (const candidate of candidatesOf(chunk)) readCandidate(candidate);
    counts = addCounts(counts, chunk.usageMetadata);
    const usage = isObject(chunk.usageMetadata) ? usageOf(counts) : undefined;
    const reported = usage && { usage };
    const text = asOneLine(frame.data);
    if (ended.size > 0 && ended.size === begun.size) {
      held.push({ text, chunk });
      return { text: '', begins, closes: true, ...reported };
    }
    const billed = usage && billedUsage(usage, estimate);
    const shown = billed?.isImplausible || !hasOnlyCounts(chunk.usageMetadata) ? billed : undefined;
    const data = labelChunk(text, chunk, { label, usage: shown });
    return { text: formatFrame({ data }), begins, closes: false, ...reported };
  };
  /** No frame of this protocol is marked as the last, so the end of the body is the end of the answer. */
  const finish = (): FrameMeaning => {
    if (ended.size === 0 || ended.size < begun.size) return CUT;
    const usage = estimateUsage({ reported: usageOf(counts), answerText, isWhole: true, estimate });
    const billed = billedUsage(usage, estimate);
    const last = held.findLastIndex(({ chunk }) => isObject(chunk.usageMetadata));
    const place = last < 0 ? held.length - 1 : last;
    const texts = held.map(({ text, chunk }, index) => {
      const shown = index === place ? unlessShown(chunk, billed) : undefined;
      return formatFrame({ data: labelChunk(text, chunk, { label, usage: shown }) });
    });
    return { text: texts.join(''), begins: true, closes: true, ends: true, usage };
  };
  const names = { responseId: label.id, modelVersion: label.model };
  return Object.assign(read, {
    answerText,
    fail: (refusal: Parameters<typeof failureChunk>[0]) =>
      formatFrame({ data: JSON.stringify(failureChunk(refusal, names, begins)) }),
  });
}

/** Reports whether a part has content. A first chunk often has none, and its upstream may still fail. */
const saysSomething = (part: JsonObject): boolean =>
  Object.entries(part).some(([key, value]) => key !== 'thought' && value !== null && value !== '');

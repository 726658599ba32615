import type { JsonObject } from '../../../base/json/json-body.ts';
import { listOf, objectOf, parseObject, textOf } from '../../../base/json/read-json.ts';
import { isObject } from '../../../base/lib/is-object.ts';
import { CountedText } from '../../canonical/counted-text.ts';
import type { Usage } from '../../canonical/usage.ts';
import type { AnswerLabel } from '../../contract/answer-label.ts';
import type { Frame } from '../../contract/frame.ts';
import type { FrameMeaning, FrameReader } from '../../contract/frame-reader.ts';
import type { InferenceRequest } from '../../contract/inference-request.ts';
import { RefusedAnswer } from '../../contract/refused-answer.ts';
import { asOneLine } from '../../framing/as-one-line.ts';
import { DONE } from '../../framing/done.ts';
import { formatFrame } from '../../framing/format-frame.ts';
import { readUpstreamError } from '../openai/read-upstream-error.ts';
import { transcriptUsage } from './transcript-usage.ts';

const NOTHING: FrameMeaning = { text: '', begins: false, closes: false };

/** Reads the events of a transcript. Chunks in the manner of chats, and whole answers, become events. */
export function createTranscriptReader(request: InferenceRequest, { estimate }: AnswerLabel): FrameReader {
  let transcript: string | undefined;
  /** The last chunk with usage. */
  let reporting: JsonObject = {};
  const read = (frame: Frame): FrameMeaning => {
    if (frame.data === DONE) return endOfChunks(transcript, reporting, request);
    const event = eventIn(frame.data, request);
    const { type, error } = event;
    if (error != null || type === 'error') throw new RefusedAnswer(readUpstreamError(error ?? event));
    if (type === 'transcript.text.done') return ending(passing(frame).text, transcriptUsage(request, event));
    if (typeof type === 'string') return passing(frame);
    if (typeof event.text === 'string') return wholeAsEvents(event, request);
    const delta = deltaIn(event);
    transcript = (transcript ?? '') + delta;
    if (isObject(event.usage)) reporting = event;
    return delta === ''
      ? NOTHING
      : { text: frameOf({ type: 'transcript.text.delta', delta }), begins: true, closes: false };
  };
  return { read, answerText: new CountedText(estimate) };
}

const frameOf = (event: object): string => formatFrame({ data: JSON.stringify(event) });

const passing = (frame: Frame): FrameMeaning => ({
  text: formatFrame({ event: frame.event, data: asOneLine(frame.data) }),
  begins: true,
  closes: false,
});

const ending = (text: string, usage: Usage): FrameMeaning => ({
  text,
  begins: true,
  closes: true,
  ends: true,
  usage,
});

/** A model that ignores the wish for a stream can answer in plain text. */
function eventIn(data: string, { body }: InferenceRequest): JsonObject {
  if (body.value.response_format === 'text' && !/^\s*\{/.test(data)) return { text: data.trimEnd() };
  return parseObject(data);
}

const doneEvent = (text: unknown, usage: unknown): JsonObject => ({
  type: 'transcript.text.done',
  text,
  ...(usage !== undefined && { usage }),
});

/** Ends a stream of chunks, whose host has no last event with the text. */
function endOfChunks(text: string | undefined, { usage }: JsonObject, request: InferenceRequest) {
  if (text === undefined) throw new SyntaxError('the stream ended before any text');
  const done = doneEvent(text, usage);
  return ending(frameOf(done), transcriptUsage(request, done));
}

/** Writes a whole answer as events, since some models ignore the wish for a stream. */
function wholeAsEvents(answer: JsonObject, request: InferenceRequest): FrameMeaning {
  const { text, usage } = answer;
  const events = [{ type: 'transcript.text.delta', delta: text }, doneEvent(text, usage)];
  return ending(events.map(frameOf).join(''), transcriptUsage(request, answer));
}

function deltaIn({ choices }: JsonObject): string {
  const { delta } = objectOf(listOf(choices)[0]);
  return textOf(objectOf(delta).content) ?? '';
}

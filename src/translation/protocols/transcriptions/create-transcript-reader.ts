import type { JsonObject } from '../../../base/json/json-body.ts';
import { parseObject, textOf } from '../../../base/json/read-json.ts';
import { isObject } from '../../../base/lib/is-object.ts';
import { CountedText } from '../../canonical/counted-text.ts';
import type { AnswerLabel } from '../../contract/answer-label.ts';
import type { Frame } from '../../contract/codec.ts';
import type { FrameMeaning, FrameReader } from '../../contract/frame-reader.ts';
import type { InferenceRequest } from '../../contract/inference-request.ts';
import { RefusedAnswer } from '../../contract/refused-answer.ts';
import { asOneLine } from '../../framing/as-one-line.ts';
import { formatFrame } from '../../framing/format-frame.ts';
import { readUpstreamError } from '../openai/read-upstream-error.ts';
import { transcriptUsage } from './transcript-usage.ts';

const DONE = '[DONE]';

/** Reads the events of a transcript. Chunks in the manner of chats, and whole answers, become events. */
export function createTranscriptReader(request: InferenceRequest, { estimate }: AnswerLabel): FrameReader {
  let transcript: string | undefined;
  let last: JsonObject = {};
  const read = (frame: Frame): FrameMeaning => {
    if (frame.data === DONE) return ending(transcript, last, request);
    const event = eventIn(frame.data, request);
    const { type, error } = event;
    if (error != null || type === 'error') throw new RefusedAnswer(readUpstreamError(error ?? event));
    if (type === 'transcript.text.done') return closing(event, frame, request);
    if (typeof type === 'string') return passing(frame);
    if (typeof event.text === 'string') return wholeAsEvents(event, request);
    const delta = deltaIn(event);
    transcript = (transcript ?? '') + delta;
    if (isObject(event.usage)) last = event;
    return delta === ''
      ? NOTHING
      : { text: frameOf({ type: 'transcript.text.delta', delta }), begins: true, closes: false };
  };
  return Object.assign(read, { answerText: new CountedText(estimate) });
}

const NOTHING: FrameMeaning = { text: '', begins: false, closes: false };

const frameOf = (event: object): string => formatFrame({ data: JSON.stringify(event) });

const passing = (frame: Frame): FrameMeaning => ({
  text: formatFrame({ event: frame.event, data: asOneLine(frame.data) }),
  begins: true,
  closes: false,
});

const closing = (event: JsonObject, frame: Frame, request: InferenceRequest): FrameMeaning => ({
  ...passing(frame),
  closes: true,
  ends: true,
  usage: transcriptUsage(request, event),
});

/** A model that ignores the wish for a stream can answer in plain text. */
function eventIn(data: string, { body }: InferenceRequest): JsonObject {
  if (body.value['response_format'] === 'text' && !/^\s*\{/.test(data)) return { text: data.trimEnd() };
  return parseObject(data);
}

/** Ends a stream of chunks, whose host has no last event with the text. */
function ending(text: string | undefined, { usage }: JsonObject, request: InferenceRequest): FrameMeaning {
  if (text === undefined) throw new SyntaxError('the stream ended before any text');
  const done = { type: 'transcript.text.done', text, ...(usage !== undefined && { usage }) };
  return {
    text: frameOf(done),
    begins: true,
    closes: true,
    ends: true,
    usage: transcriptUsage(request, done),
  };
}

/** Writes a whole answer as events, since some models ignore the wish for a stream. */
function wholeAsEvents(answer: JsonObject, request: InferenceRequest): FrameMeaning {
  const { text, usage } = answer;
  const done = { type: 'transcript.text.done', text, ...(usage !== undefined && { usage }) };
  return {
    text: frameOf({ type: 'transcript.text.delta', delta: text }) + frameOf(done),
    begins: true,
    closes: true,
    ends: true,
    usage: transcriptUsage(request, answer),
  };
}

function deltaIn({ choices }: JsonObject): string {
  const [choice] = Array.isArray(choices) ? choices : [];
  const delta = isObject(choice) ? choice.delta : undefined;
  return isObject(delta) ? (textOf(delta.content) ?? '') : '';
}

import type { JsonObject } from '../../../base/json/json-body.ts';
import { isObject } from '../../../base/lib/is-object.ts';
import { lookUp } from '../../../base/lib/records.ts';
import type { AnswerLabel } from '../../contract/answer-label.ts';
import type { InferenceRequest } from '../../contract/inference-request.ts';
import type { WholeAnswer } from '../../contract/whole-answer.ts';
import { labelAnswer, parseAnswer } from '../metered/label-answer.ts';
import type { TranscriptionFormat } from './request-schema.ts';
import { transcriptUsage } from './transcript-usage.ts';

/** The members of an answer in this protocol. Other members describe the host and are removed. */
// biome-ignore format: a line for each group
const MEMBERS = new Set([
  'text', 'usage', 'task', 'language', 'languages', 'duration', 'segments', 'words', 'logprobs',
  'id', 'model',
]);

/** The first line of each format. */
const BEGINNINGS: Readonly<Partial<Record<TranscriptionFormat, RegExp>>> = {
  srt: /^\uFEFF?\s*(\d+\r?\n|$)/,
  vtt: /^\uFEFF?WEBVTT/,
};
const PLAIN = 'text/plain; charset=utf-8';

/** Returns the upstream's own transcript: JSON without members of the host, or text as it is. */
export function patchTranscript(text: string, label: AnswerLabel, request: InferenceRequest): WholeAnswer {
  if (request.answerForm === 'text') return plainTranscript(text, request);
  const answer = parseAnswer(text);
  if (typeof answer.text !== 'string') throw new SyntaxError('the answer has no text');
  return {
    text: labelAnswer(text, answer, { label, members: MEMBERS }),
    usage: transcriptUsage(request, answer),
  };
}

function plainTranscript(text: string, request: InferenceRequest): WholeAnswer {
  const format = String(request.body.value.response_format);
  const json = jsonIn(text);
  const isFormat = json ? format === 'text' : lookUp(BEGINNINGS, format)?.test(text) !== false;
  if (!isFormat) throw new SyntaxError(`the answer is not in the format ${format}`);
  return {
    text: json ? `${json.text}\n` : text,
    usage: transcriptUsage(request, json ?? {}),
    contentType: PLAIN,
  };
}

/** Returns the JSON of an answer in another format. Some hosts answer so, or with an error. */
function jsonIn(text: string): JsonObject | undefined {
  if (!/^\s*\{/.test(text)) return undefined;
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return undefined; // words in braces
  }
  if (!isObject(parsed) || (parsed.error == null && typeof parsed.text !== 'string')) return undefined;
  return parseAnswer(text);
}

import type { FormShape } from '../../base/forms/form-shape.ts';
import { bearerOf } from '../model/credential.ts';
import { SSE_FRAMING } from '../model/sse-framing.ts';
import { type SimulatorEvent, streamEvent } from '../model/stream-event.ts';
import type { SimulatorAnswer, SimulatorExchange, SimulatorWire } from '../model/wire.ts';
import { openaiErrorBody } from './openai-errors.ts';

const FORM: FormShape = {
  fields: { stream: 'boolean', temperature: 'number' },
  files: { file: 1 },
  required: 'file',
};
const FORMATS = ['json', 'text', 'srt', 'verbose_json', 'vtt', 'diarized_json'] as const;
/** A second of speech in 16 bits at 16 kHz. The simulator does not decode a file. */
const BYTES_PER_SECOND = 32_000;
const TOKENS_PER_SECOND = 10;

type Transcript = { text: string; seconds: number; usage: object | undefined; isTranslation: boolean };

function answer(exchange: SimulatorExchange): SimulatorAnswer {
  const { body, action, model } = exchange;
  const format = body.at('response_format').present ? body.at('response_format').oneOf(FORMATS) : 'json';
  const isTranslation = action === 'translations';
  if (isTranslation && format === 'diarized_json') body.at('response_format').fail('is not for translations');
  const transcript = transcribe(exchange, isTranslation);
  // Whisper ignores the member.
  const streamed = body.at('stream').flag() && !isTranslation && !model.startsWith('whisper');
  const plain = PLAIN[format];
  return {
    streamed,
    body: () => WHOLE[format]?.(transcript) ?? { text: transcript.text, ...withUsage(transcript) },
    events: () => eventsOf(transcript),
    ...(plain && { plain: () => plain(transcript) }),
  };
}

function transcribe(
  { body, model, tokenizer, reportsUsage }: SimulatorExchange,
  isTranslation: boolean,
): Transcript {
  const file = body.at('file');
  const seconds = Math.ceil((file.at('bytes').number() ?? 0) / BYTES_PER_SECOND);
  const prompt = body.at('prompt').optionalText() ?? '';
  const ordered = /^say: (.*)$/s.exec(prompt)?.[1];
  const text = ordered ?? `[simulated] ${seconds} seconds of speech from ${file.at('filename').text()}.`;
  const spent = model.startsWith('whisper')
    ? { type: 'duration', seconds }
    : tokenUsage({
        audio: seconds * TOKENS_PER_SECOND,
        text: tokenizer.count(prompt),
        output: tokenizer.count(text),
      });
  return { text, seconds, isTranslation, usage: reportsUsage ? spent : undefined };
}

const tokenUsage = ({ audio, text, output }: { audio: number; text: number; output: number }) => ({
  type: 'tokens',
  input_tokens: audio + text,
  input_token_details: { text_tokens: text, audio_tokens: audio },
  output_tokens: output,
  total_tokens: audio + text + output,
});

const withUsage = ({ usage }: Transcript) => usage && { usage };

const WHOLE: Partial<Record<(typeof FORMATS)[number], (transcript: Transcript) => object>> = {
  verbose_json: (transcript) => ({
    task: transcript.isTranslation ? 'translate' : 'transcribe',
    language: 'english',
    duration: transcript.seconds,
    text: transcript.text,
    segments: [
      {
        ...{ id: 0, seek: 0, start: 0, end: transcript.seconds, text: transcript.text, tokens: [] },
        ...{ temperature: 0, avg_logprob: -0.1, compression_ratio: 1, no_speech_prob: 0 },
      },
    ],
    ...withUsage(transcript),
  }),
  diarized_json: (transcript) => ({
    task: 'transcribe',
    duration: transcript.seconds,
    text: transcript.text,
    segments: [
      {
        ...{ type: 'transcript.text.segment', id: 'seg_0', start: 0, end: transcript.seconds },
        ...{ text: transcript.text, speaker: 'A' },
      },
    ],
    ...withUsage(transcript),
  }),
};

const timeOf = (seconds: number, point: string): string =>
  `${new Date(seconds * 1_000).toISOString().slice(11, 19)}${point}000`;

const PLAIN: Partial<Record<(typeof FORMATS)[number], (transcript: Transcript) => string>> = {
  text: ({ text }) => `${text}\n`,
  srt: ({ text, seconds }) => `1\n${timeOf(0, ',')} --> ${timeOf(seconds, ',')}\n${text}\n\n`,
  vtt: ({ text, seconds }) => `WEBVTT\n\n${timeOf(0, '.')} --> ${timeOf(seconds, '.')}\n${text}\n\n`,
};

function* eventsOf(transcript: Transcript): Iterable<SimulatorEvent> {
  for (const delta of transcript.text.match(/\s*\S+/g) ?? [])
    yield streamEvent({ type: 'transcript.text.delta', delta }, 1);
  const done = { type: 'transcript.text.done', text: transcript.text, ...withUsage(transcript) };
  yield streamEvent(done);
}

export const OPENAI_TRANSCRIPTIONS: SimulatorWire = {
  id: 'openai-audio',
  path: /^\/audio\/(?<action>transcriptions|translations)$/,
  form: FORM,
  framing: SSE_FRAMING,
  credential: bearerOf,
  answer,
  failureBody: openaiErrorBody,
  failureEvents: (failure) => [streamEvent(openaiErrorBody(failure))],
};

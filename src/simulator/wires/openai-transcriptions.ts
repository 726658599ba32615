import type { FormShape } from '../../base/forms/form-shape.ts';
import { bearerOf } from '../model/bearer-of.ts';
import type { Field } from '../model/field.ts';
import { SSE_FRAMING } from '../model/sse-framing.ts';
import { streamEvent } from '../model/stream-event.ts';
import type { SimulatorAnswer, SimulatorExchange, SimulatorWire } from '../model/wire.ts';
import { openaiErrorBody } from './openai-errors.ts';
import { logprobsOf, type Transcript } from './transcript.ts';
import {
  JSON_FORMS,
  TEXT_FORMS,
  TRANSCRIPT_FORMATS,
  type TranscriptFormat,
  transcriptEvents,
} from './write-transcript.ts';

const FORM: FormShape = {
  fields: { stream: 'boolean', temperature: 'number' },
  files: { file: 1 },
  required: 'file',
};
/** A second of speech in 16 bits at 16 kHz. The simulator does not decode a file. */
const BYTES_PER_SECOND = 32_000;
const TOKENS_PER_SECOND = 10;
const MAX_SPEAKERS = 4;

/** The inputs that a family of models takes. The first row that matches decides. */
type Family = { models: RegExp; formats: readonly TranscriptFormat[]; streams: boolean; bySeconds: boolean };
const FAMILIES: readonly Family[] = [
  {
    models: /^whisper/,
    formats: ['json', 'text', 'srt', 'verbose_json', 'vtt'],
    streams: false, // the member is ignored
    bySeconds: true,
  },
  { models: /^gpt-.*-diarize/, formats: ['json', 'text', 'diarized_json'], streams: true, bySeconds: false },
  { models: /^gpt-/, formats: ['json', 'text'], streams: true, bySeconds: false },
  { models: /^/, formats: TRANSCRIPT_FORMATS, streams: true, bySeconds: false },
];

function answer(exchange: SimulatorExchange): SimulatorAnswer {
  const { body, action, model } = exchange;
  const family = FAMILIES.find(({ models }) => models.test(model))!;
  const isTranslation = action === 'translations';
  const format = readFormat(body.at('response_format'), family, isTranslation);
  const transcript = transcribe(exchange, family);
  const plain = TEXT_FORMS[format];
  return {
    streamed: body.at('stream').flag() && !isTranslation && family.streams,
    body: () => (JSON_FORMS[format] ?? JSON_FORMS.json!)(transcript),
    events: () => transcriptEvents(transcript, format),
    ...(plain && {
      raw: () => ({
        contentType: 'text/plain; charset=utf-8',
        pieces: [Buffer.from(plain(transcript))],
      }),
    }),
  };
}

function readFormat(field: Field, { formats }: Family, isTranslation: boolean): TranscriptFormat {
  const format = field.present ? field.oneOf(TRANSCRIPT_FORMATS) : 'json';
  if (!formats.includes(format))
    field.fail(`'${format}' is not compatible with this model. Use one of ${formats.join(', ')}`);
  return isTranslation && format === 'diarized_json' ? field.fail('is not for translations') : format;
}

function transcribe(exchange: SimulatorExchange, { bySeconds }: Family): Transcript {
  const { body, action, model, tokenizer, reportsUsage } = exchange;
  const file = body.at('file');
  const seconds = Math.ceil((file.at('bytes').number() ?? 0) / BYTES_PER_SECOND);
  const prompt = body.at('prompt').optionalText() ?? '';
  body.at('temperature').number({ min: 0, max: 1, whole: false });
  const ordered = /^say: (.*)$/s.exec(prompt)?.[1];
  const text = ordered ?? `[simulated] ${seconds} seconds of speech from ${file.at('filename').text()}.`;
  const spent = bySeconds
    ? { type: 'duration', seconds }
    : tokenUsage({
        audio: seconds * TOKENS_PER_SECOND,
        text: tokenizer.count(prompt),
        output: tokenizer.count(text),
      });
  const included = wordsIn(body.at('include[]'), ['logprobs']);
  const times = wordsIn(body.at('timestamp_granularities[]'), ['segment', 'word']);
  return {
    text,
    seconds,
    usage: reportsUsage ? spent : undefined,
    task: action === 'translations' ? 'translate' : 'transcribe',
    logprobs: included.has('logprobs') ? logprobsOf(text, tokenizer) : undefined,
    languages: /^gpt-transcribe/.test(model) ? [{ code: 'en' }] : undefined,
    times: times.size > 0 ? times : new Set(['segment']),
    speakers: speakersIn(body.at('known_speaker_names[]')),
  };
}

const wordsIn = (field: Field, names: readonly string[]): ReadonlySet<string> =>
  new Set(field.items().map((item) => item.oneOf(names)));

function speakersIn(field: Field): string[] {
  const names = field.items().map((item) => item.text());
  if (names.length > MAX_SPEAKERS) field.fail(`at most ${MAX_SPEAKERS} speakers are supported`);
  return names.length > 0 ? names : ['A', 'B'];
}

const tokenUsage = ({ audio, text, output }: { audio: number; text: number; output: number }) => ({
  type: 'tokens',
  input_tokens: audio + text,
  input_token_details: { text_tokens: text, audio_tokens: audio },
  output_tokens: output,
  total_tokens: audio + text + output,
});

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

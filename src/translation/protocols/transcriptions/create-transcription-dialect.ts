import { invalidParam } from '../../../base/errors/invalid-param.ts';
import { refuseInvalid } from '../../../base/schema/refuse-invalid.ts';
import { createValidator } from '../../../base/schema/validator.ts';
import type { MeteredAsk } from '../../canonical/metered.ts';
import type { Dialect } from '../../contract/dialect.ts';
import { createInspection } from '../../members/inspect-body.ts';
import { patchModel } from '../metered/patch-model.ts';
import { createTranscriptReader } from './create-transcript-reader.ts';
import { patchTranscript } from './patch-transcript.ts';
import {
  type TranscriptionFormat,
  type TranscriptionRequest,
  transcriptionSchema,
  translationSchema,
} from './request-schema.ts';
import { transcriptionForm } from './transcription-form.ts';

const ENDPOINTS = {
  transcriptions: { schema: transcriptionSchema, upstreamPath: '/audio/transcriptions' },
  translations: { schema: translationSchema, upstreamPath: '/audio/translations' },
} as const;

/**
 * The members by which other servers take sound from elsewhere. They are refused, since only the sound of the
 * file is measured.
 */
// biome-ignore format: a line for each group
const OTHER_SOURCES: readonly string[] = [
  'url', 'file_url', 'audio_url', 'source_url', 'input_url', 'uri', 'file_uri', 'audio_uri',
  'file_id', 'audio_id', 'file_path', 'file_b64', 'audio_file', 'audio_data',
];

/** Vendors count 10 to 32 tokens for a second of sound. No language is spoken in as many tokens. */
const MAX_TOKENS_PER_SECOND = 50;

/** A model can write a few words about a moment of silence. */
const MIN_OUTPUT_TOKENS = 1_000;

/** A sample of a speaker's voice has two to ten seconds. */
const SAMPLE_SECONDS = 10;

/** Formats with times, which need the whole transcript. */
const UNSTREAMED: ReadonlySet<TranscriptionFormat> = new Set<TranscriptionFormat>([
  'srt',
  'vtt',
  'verbose_json',
]);

/**
 * Creates the dialect of requests to write down what a sound file says, in its own language or in English.
 */
export function createTranscriptionDialect(endpoint: keyof typeof ENDPOINTS): Dialect {
  const { schema, upstreamPath } = ENDPOINTS[endpoint];
  const validate = createValidator(schema);
  return {
    modelKind: 'transcription',
    wire: 'openai-audio',
    form: transcriptionForm,
    keyHeader: 'bearer',
    idPrefix: '',
    upstreamPath,
    inspect: createInspection(schema, [], { foreign: OTHER_SOURCES }),
    read(body) {
      const refusal = refuseInvalid(body.value, validate);
      if (refusal) return refusal;
      const sound = body.form?.sound;
      if (!sound) return invalidParam('file', 'must be a file of a form');
      const transcription = body.value as TranscriptionRequest; // both schemas have been checked
      const { model, stream, response_format: format = 'json' } = transcription;
      if (stream && UNSTREAMED.has(format)) return invalidParam('stream', `is not for the format ${format}`);
      const request = {
        body,
        model,
        stream: stream === true,
        metered: soundAsk(transcription, sound.seconds),
      };
      return !request.stream && isText(format) ? { ...request, answerForm: 'text' } : request;
    },
    patchRequest: patchModel,
    patchAnswer: patchTranscript,
    frameReader: createTranscriptReader,
    takesWholeAnswers: true,
  };
}

const isText = (format: TranscriptionFormat): boolean => !format.endsWith('json');

function soundAsk({ prompt = '', ...request }: TranscriptionRequest, seconds: number): MeteredAsk {
  const second = Math.max(1, Math.ceil(seconds));
  const samples = request['known_speaker_references[]']?.length ?? 0;
  const hints = [...(request['keywords[]'] ?? []), ...(request['known_speaker_names[]'] ?? [])].join(' ');
  return {
    counts: { second },
    text: prompt,
    most: {
      input:
        (second + samples * SAMPLE_SECONDS) * MAX_TOKENS_PER_SECOND + Buffer.byteLength(`${prompt}${hints}`),
      output: MIN_OUTPUT_TOKENS + second * MAX_TOKENS_PER_SECOND,
    },
  };
}

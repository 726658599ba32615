import { Type } from '../../base/schema/type.ts';
import type { RouteDescription } from '../../edge/http/route.ts';
import {
  transcriptionSchema,
  translationSchema,
} from '../../translation/protocols/transcriptions/request-schema.ts';
import { describeFields } from './describe-fields.ts';
import { fileField } from './file-fields.ts';
import { meteredErrors } from './inference-errors.ts';
import { inferenceHeaders } from './inference-headers.ts';

const FILE =
  'The sound: flac, mp3, mp4, m4a, ogg, opus, wav or webm. The upstream gets a name with an extension.';
const common = {
  model: 'The id of a transcription model or one of its aliases.',
  temperature: 'Higher values make the text more random.',
};

const transcriptionFields = describeFields(
  Type.Object({ ...transcriptionSchema.properties, file: fileField(FILE) }),
  'Transcription Request',
  {
    ...common,
    file: FILE,
    language: 'The language of the sound, such as `en`. It makes the text more accurate.',
    prompt: 'Words that the sound may contain, or the text before it.',
    response_format: 'The format of the answer. Each model has its own formats.',
    stream:
      '`true` streams the text as server-sent events. A model that does not stream answers with two events.',
    'include[]': '`logprobs` adds the log probabilities of tokens, on models that have them.',
    'timestamp_granularities[]': '`word`, `segment` or both, with `verbose_json`.',
    'known_speaker_names[]': 'The names of speakers, for `diarized_json`.',
    'known_speaker_references[]': 'A sample of each speaker as a data URL, in the order of the names.',
    'languages[]': 'The languages of the sound, on models that accept several.',
    'keywords[]': 'Words that the sound may contain, on models that accept a list.',
  },
);

const translationFields = describeFields(
  Type.Object({ ...translationSchema.properties, file: fileField(FILE) }),
  'Translation Request',
  {
    ...common,
    file: FILE,
    prompt: 'English words that the text may contain.',
    response_format: 'The format of the answer.',
    stream: 'Translations are not streamed.',
  },
);

const transcript = Type.Object(
  {
    text: Type.String({ description: 'The whole text.' }),
    usage: Type.Optional(
      Type.Object(
        {
          type: Type.Optional(Type.String({ description: '`duration` or `tokens`.' })),
          seconds: Type.Optional(
            Type.Number({ description: 'The seconds of the sound, with the type `duration`.' }),
          ),
          input_tokens: Type.Optional(Type.Integer()),
          output_tokens: Type.Optional(Type.Integer()),
          total_tokens: Type.Optional(Type.Integer()),
        },
        { description: 'The usage that the upstream reported. Absent without a report.' },
      ),
    ),
    language: Type.Optional(Type.String()),
    duration: Type.Optional(Type.Number({ description: 'Seconds.' })),
    segments: Type.Optional(Type.Array(Type.Object({}))),
    words: Type.Optional(Type.Array(Type.Object({}))),
  },
  { title: 'Transcript' },
);

const shared = {
  group: 'Audio',
  key: 'bearer',
  headers: inferenceHeaders,
  answerSchema: transcript,
  errors: meteredErrors,
} as const satisfies Partial<RouteDescription>;

const example = ['file=@speech.mp3', 'model={transcription_model}'];

/** Describes `POST /v1/audio/transcriptions`. */
export const transcriptionsDescription: RouteDescription = {
  ...shared,
  summary: 'Transcribes a sound file (OpenAI Audio)',
  form: { schema: transcriptionFields, example },
  answer: 'The text, as JSON or in the requested format. It is billed by the second or by tokens.',
  streams: true,
};

/** Describes `POST /v1/audio/translations`. */
export const translationsDescription: RouteDescription = {
  ...shared,
  summary: 'Transcribes a sound file in English (OpenAI Audio)',
  form: { schema: translationFields, example },
  answer: 'The English text, as JSON or in the requested format. It is billed like a transcription.',
};

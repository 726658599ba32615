import type { RouteDescription } from '../../edge/http/route.ts';
import { requestSchema } from '../../translation/protocols/speech/request-schema.ts';
import { describeFields } from './describe-fields.ts';
import { meteredErrors } from './inference-errors.ts';
import { inferenceHeaders } from './inference-headers.ts';

const body = describeFields(requestSchema, 'Speech Request', {
  model: 'The id of a speech model or one of its aliases.',
  input: 'The text to speak.',
  voice: 'The name of a voice of the model, or an object with its id.',
  instructions: 'Instructions for the voice. Only some models follow them.',
  response_format: 'The format of the sound, such as `mp3` (the default), `wav` or `opus`.',
  speed: 'The speed, from 0.25 to 4. Default: 1.',
  stream_format: '`audio` (the default) answers with the sound itself, `sse` with server-sent events.',
});

/** Describes `POST /v1/audio/speech`. */
export const speechDescription: RouteDescription = {
  group: 'Audio',
  key: 'bearer',
  summary: 'Turns text into speech (OpenAI Audio)',
  headers: inferenceHeaders,
  body,
  bodyExample: { model: '{speech_model}', input: 'Hello!', voice: 'alloy' },
  answer:
    'The sound, sent while it arrives. If the upstream fails after the first part, the connection is closed and the answer costs nothing.',
  answerType: 'audio/mpeg',
  errors: meteredErrors,
};

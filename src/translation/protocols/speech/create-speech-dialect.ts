import { Refusal } from '../../../base/errors/refusal.ts';
import type { MeteredAsk } from '../../canonical/metered.ts';
import type { Dialect } from '../../contract/dialect.ts';
import { createInspection } from '../../members/inspect-body.ts';
import { createBodyReader } from '../metered/create-body-reader.ts';
import { patchModel } from '../metered/patch-model.ts';
import { countCharacters } from './count-characters.ts';
import { createSpeechReader } from './create-speech-reader.ts';
import { requestSchema, type SpeechRequest } from './request-schema.ts';
import { speechBytes } from './speech-bytes.ts';

/** The slowest voices need less than a second for a character, and usual ones speak 15 in a second. */
const MAX_SECONDS_PER_CHARACTER = 1;

const CHARACTERS_PER_SECOND = 15;

/** Vendors use about 21 tokens for a second of speech. */
const MAX_TOKENS_PER_SECOND = 50;

/**
 * The dialect of requests to speak a text. The answer is sound, or a stream of events with pieces of sound.
 */
export function createSpeechDialect(): Dialect {
  const readBody = createBodyReader(requestSchema);
  return {
    modelKind: 'speech',
    wire: 'openai-audio',
    keyHeader: 'bearer',
    idPrefix: '',
    upstreamPath: '/audio/speech',
    inspect: createInspection(requestSchema, [], { own: ['speed'] }),
    read(body) {
      const request = readBody(body);
      if (request instanceof Refusal) return request;
      const { model } = request;
      const metered = speechAsk(request);
      return request.stream_format === 'sse'
        ? { body, model, stream: true, metered }
        : { body, model, stream: false, metered, answerForm: 'bytes' };
    },
    patchRequest: patchModel,
    patchAnswer: () => {
      throw new Error('speech is never a whole text');
    },
    frameReader: createSpeechReader,
    bytesReader: speechBytes,
  };
}

function speechAsk({ input, instructions, speed }: SpeechRequest): MeteredAsk {
  const character = countCharacters(input);
  const pace = speed ?? 1;
  const second = Math.ceil((character * MAX_SECONDS_PER_CHARACTER) / Math.min(pace, 1)) + 1;
  return {
    counts: { character, second },
    likely: { character, second: Math.ceil(character / CHARACTERS_PER_SECOND / pace) },
    text: input,
    most: {
      input: Buffer.byteLength(input) + Buffer.byteLength(instructions ?? ''),
      output: second * MAX_TOKENS_PER_SECOND,
    },
  };
}

import { END_OF_BODY, type WireCodec } from '../../contract/codec.ts';
import { createStreamDecoder } from './create-stream-decoder.ts';
import { encodeRequest } from './encode-request.ts';
import { explode } from './explode.ts';
import { PROTOCOL } from './protocol.ts';
import { VAGUE_STOP } from './stop.ts';

/** Creates the codec of the wire that OpenAI and most other hosts speak. */
export function createChatWireCodec(): WireCodec {
  return {
    id: PROTOCOL,
    path: () => '/chat/completions',
    encodeRequest,
    streamDecoder: createStreamDecoder,
    explode,
    closingFrame: END_OF_BODY,
    vagueStop: VAGUE_STOP,
  };
}

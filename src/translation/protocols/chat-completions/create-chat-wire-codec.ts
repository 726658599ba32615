import { END_OF_BODY } from '../../contract/frame.ts';
import type { WireCodec } from '../../contract/wire-codec.ts';
import { createStreamDecoder } from './create-stream-decoder.ts';
import { encodeRequest } from './encode-request.ts';
import { PROTOCOL } from './protocol.ts';
import { splitAnswer } from './split-answer.ts';
import { AMBIGUOUS_STOP } from './stop.ts';

/** Creates the codec of the wire that OpenAI and most other hosts speak. */
export function createChatWireCodec(): WireCodec {
  return {
    id: PROTOCOL,
    path: () => '/chat/completions',
    encodeRequest,
    streamDecoder: createStreamDecoder,
    splitAnswer,
    closingFrame: END_OF_BODY,
    ambiguousStop: AMBIGUOUS_STOP,
  };
}

import type { WireCodec } from '../../contract/wire-codec.ts';
import { createStreamDecoder } from './create-stream-decoder.ts';
import { encodeRequest } from './encode-request.ts';
import { splitAnswer } from './split-answer.ts';

export const responsesWire: WireCodec = {
  id: 'responses',
  path: () => '/responses',
  encodeRequest,
  streamDecoder: createStreamDecoder,
  splitAnswer,
};

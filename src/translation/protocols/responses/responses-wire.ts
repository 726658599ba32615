import type { WireCodec } from '../../contract/codec.ts';
import { createStreamDecoder } from './create-stream-decoder.ts';
import { encodeRequest } from './encode-request.ts';
import { explode } from './explode.ts';

export const responsesWire: WireCodec = {
  id: 'responses',
  path: () => '/responses',
  encodeRequest,
  streamDecoder: createStreamDecoder,
  explode,
};

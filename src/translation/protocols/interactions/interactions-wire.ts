import type { WireCodec } from '../../contract/wire-codec.ts';
import { encodeRequest } from './encode-request.ts';
import { InteractionsStreamDecoder } from './interactions-stream-decoder.ts';
import { splitAnswer } from './split-answer.ts';

/** The wire of Google's Interactions API. Its path names neither the model nor the stream. */
export const interactionsWire: WireCodec = {
  id: 'interactions',
  path: () => '/interactions',
  encodeRequest,
  streamDecoder: () => {
    const decoder = new InteractionsStreamDecoder();
    return (frame) => decoder.read(frame);
  },
  splitAnswer,
  ambiguousStop: 'completed',
};

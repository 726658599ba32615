import { END_OF_STREAM } from '../../contract/frame.ts';
import type { WireCodec } from '../../contract/wire-codec.ts';
import { encodeRequest } from './encode-request.ts';
import { GoogleStreamDecoder } from './google-stream-decoder.ts';
import { modelPath } from './model-path.ts';
import { splitAnswer } from './split-answer.ts';

/** Creates the codec of the wire. `newCallId` creates ids for calls, since most models send none. */
export function createGoogleWireCodec(newCallId: () => string): WireCodec {
  return {
    id: 'google',
    path: modelPath,
    encodeRequest,
    streamDecoder: () => {
      const decoder = new GoogleStreamDecoder(newCallId);
      return (frame) => decoder.read(frame);
    },
    splitAnswer,
    closingFrame: END_OF_STREAM,
    ambiguousStop: 'STOP',
  };
}

/** The wire with random ids for calls. */
export const googleWire: WireCodec = createGoogleWireCodec(
  () => `call_${crypto.randomUUID().replaceAll('-', '')}`,
);

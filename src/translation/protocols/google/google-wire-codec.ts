import type { WireCodec } from '../../contract/codec.ts';
import { encodeRequest } from './encode-request.ts';
import { closingFrame, explode } from './explode.ts';
import { GoogleStreamDecoder } from './google-stream-decoder.ts';
import { modelPath } from './model-path.ts';

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
    explode,
    closingFrame,
    vagueStop: 'STOP',
  };
}

/** The wire with random ids for calls. */
export const googleWire: WireCodec = createGoogleWireCodec(
  () => `call_${crypto.randomUUID().replaceAll('-', '')}`,
);

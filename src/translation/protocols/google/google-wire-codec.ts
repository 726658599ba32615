import type { EncodeTarget, WireCodec } from '../../contract/codec.ts';
import { encodeRequest } from './encode-request.ts';
import { closingFrame, explode } from './explode.ts';
import { GoogleStreamDecoder } from './google-stream-decoder.ts';

/** Model names with one of these prefixes are complete paths. */
const FULL_PATH = /^(models|tunedModels|publishers|projects)\//;

/** Returns the path of a call, which names the model and the method. */
export function modelPath({ stream }: Streaming, { upstreamModel }: EncodeTarget): string {
  const model = FULL_PATH.test(upstreamModel)
    ? upstreamModel.split('/').map(encodeURIComponent).join('/')
    : `models/${encodeURIComponent(upstreamModel)}`;
  return `/${model}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`;
}

type Streaming = { stream: boolean };

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

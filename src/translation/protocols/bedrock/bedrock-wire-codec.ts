import type { WireCodec } from '../codec.ts';
import { BedrockStreamDecoder } from './decode-stream.ts';
import { encodeRequest } from './encode-request.ts';
import { closingFrame, explode } from './explode.ts';

/** Frames of its streams come from AwsEventStream. */
export const bedrockWire: WireCodec = {
  id: 'bedrock',
  path: ({ stream }, { upstreamModel }) =>
    `/model/${encodeURIComponent(upstreamModel)}/${stream ? 'converse-stream' : 'converse'}`,
  encodeRequest,
  streamDecoder: () => {
    const decoder = new BedrockStreamDecoder();
    return (frame) => decoder.read(frame);
  },
  explode,
  closingFrame,
};

import { END_OF_STREAM } from '../../contract/frame.ts';
import type { WireCodec } from '../../contract/wire-codec.ts';
import { BedrockStreamDecoder } from './bedrock-stream-decoder.ts';
import { encodeRequest } from './encode-request.ts';
import { splitAnswer } from './split-answer.ts';

/** The Bedrock wire. AwsEventStream produces the frames of its streams. */
export const bedrockWire: WireCodec = {
  id: 'bedrock',
  path: ({ stream }, { upstreamModel }) =>
    `/model/${encodeURIComponent(upstreamModel)}/${stream ? 'converse-stream' : 'converse'}`,
  encodeRequest,
  streamDecoder: () => {
    const decoder = new BedrockStreamDecoder();
    return (frame) => decoder.read(frame);
  },
  splitAnswer,
  closingFrame: END_OF_STREAM,
};

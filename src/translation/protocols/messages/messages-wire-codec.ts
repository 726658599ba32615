import type { WireCodec } from '../../contract/codec.ts';
import { MessagesStreamDecoder } from './decode-stream.ts';
import { encodeRequest } from './encode-request.ts';
import { explode } from './explode.ts';

export function createMessagesWireCodec(): WireCodec {
  return {
    id: 'messages',
    path: () => '/messages',
    encodeRequest,
    streamDecoder: () => {
      const decoder = new MessagesStreamDecoder();
      return (frame) => decoder.read(frame);
    },
    explode,
  };
}

import type { WireCodec } from '../../contract/codec.ts';
import { encodeRequest } from './encode-request.ts';
import { explode } from './explode.ts';
import { MessagesStreamDecoder } from './messages-stream-decoder.ts';

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

import type { WireCodec } from '../../contract/wire-codec.ts';
import { encodeRequest } from './encode-request.ts';
import { MessagesStreamDecoder } from './messages-stream-decoder.ts';
import { splitAnswer } from './split-answer.ts';

export function createMessagesWireCodec(): WireCodec {
  return {
    id: 'messages',
    path: () => '/messages',
    encodeRequest,
    streamDecoder: () => {
      const decoder = new MessagesStreamDecoder();
      return (frame) => decoder.read(frame);
    },
    splitAnswer,
  };
}

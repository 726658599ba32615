import type { ReplyBody } from '../../edge/http/reply.ts';

/**
 * The largest body that is handed to the runtime whole. The runtime copies it, which takes 13 ms for this
 * size.
 */
const BYTES_AT_A_TIME = 16 * 1024 * 1024;
const PIECE_BYTES = 256 * 1024;

/** Returns the body of a reply. A larger body is handed over in pieces. */
export const sendLarge = (bytes: Uint8Array<ArrayBuffer>): ReplyBody =>
  bytes.byteLength <= BYTES_AT_A_TIME
    ? bytes
    : async (writer) => {
        for (let from = 0; from < bytes.byteLength; from += PIECE_BYTES) {
          const taken = writer.write(bytes.subarray(from, from + PIECE_BYTES));
          if (taken) await taken;
        }
      };

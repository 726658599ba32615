import type { ReplyBody } from '../../edge/http/reply.ts';

/** The runtime copies what it is given: so much takes 13 ms. */
const MOST_AT_ONCE = 16 * 1024 * 1024;
const PIECE_BYTES = 256 * 1024;

/** The body of a reply. What would take too long to copy is handed over in pieces. */
export const sendLarge = (bytes: Uint8Array<ArrayBuffer>): ReplyBody =>
  bytes.byteLength <= MOST_AT_ONCE
    ? bytes
    : async (writer) => {
        for (let from = 0; from < bytes.byteLength; from += PIECE_BYTES) {
          const taken = writer.write(bytes.subarray(from, from + PIECE_BYTES));
          if (taken) await taken;
        }
      };

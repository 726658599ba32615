import type { Payload } from '../watch/requests/payload-store.ts';
import { unpackLines } from './request-packing.ts';
import { bytes, number, text } from './row-columns.ts';

/** The compressed content of a request. */
export type PackedPayload = Omit<Payload, 'content'> & { content: Uint8Array };

/** The default of Zstandard. */
const LEVEL = 3;

/** Compresses contents in a thread of the runtime. */
export const packPayloads = (payloads: readonly Payload[]): Promise<PackedPayload[]> =>
  Promise.all(
    payloads.map(async (payload) => ({
      ...payload,
      content: await Bun.zstdCompress(payload.content, { level: LEVEL }),
    })),
  );

export const payloadOf = (row: Readonly<Record<string, unknown>>): Payload => ({
  requestId: text(row, 'request_id'),
  accountId: text(row, 'account_id'),
  at: number(row, 'at'),
  content: unpackLines(bytes(row, 'content')),
});

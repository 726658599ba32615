import type { Payload, PayloadStore } from '../../watch/requests/payload-store.ts';
import type { ContentSeal } from './content-seal.ts';

const placeOf = ({ accountId, requestId }: Payload): string =>
  JSON.stringify(['payload', accountId, requestId]);

/** The methods of recorded content that write and read it. */
type Content = Pick<PayloadStore, 'addPayloads' | 'findPayload'>;

/** Encrypts the recorded content of requests. */
export function sealedPayloads(store: Content, seal: ContentSeal): Content {
  return {
    addPayloads: (payloads, mostEach) =>
      store.addPayloads(
        payloads.map((payload) => ({ ...payload, content: seal.seal(payload.content, placeOf(payload)) })),
        mostEach,
      ),
    async findPayload(accountId, requestId) {
      const found = await store.findPayload(accountId, requestId);
      return found && { ...found, content: await seal.open(found.content, placeOf(found)) };
    },
  };
}

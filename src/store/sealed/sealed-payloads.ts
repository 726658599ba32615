import type { PayloadStore } from '../../watch/requests/payload-store.ts';
import type { ContentSeal } from './content-seal.ts';

type Owned = { accountId: string; requestId: string };

const placeOf = ({ accountId, requestId }: Owned): string =>
  JSON.stringify(['payload', accountId, requestId]);

/** Encrypts the recorded content of requests. */
export function sealedPayloads(
  store: Pick<PayloadStore, 'addPayloads' | 'findPayload'>,
  seal: ContentSeal,
): Pick<PayloadStore, 'addPayloads' | 'findPayload'> {
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

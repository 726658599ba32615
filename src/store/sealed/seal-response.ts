import type { StoredResponse } from '../../money/ledger/stored-response.ts';
import type { ContentSeal } from './content-seal.ts';
import { sealAddition } from './sealed-conversations.ts';

/** Turns of one key continue each other, so any of them can be read with another. */
export const turnPlace = (keyId: string): string => JSON.stringify(['turn', keyId]);
export const envelopePlace = (id: string): string => JSON.stringify(['response', id]);

/** Returns a response with encrypted content, as it is posted and stored. */
export function sealResponse(seal: ContentSeal, response: StoredResponse): StoredResponse {
  if (!seal.isOn) return response;
  const { id, keyId, envelope, turn, wholeInput, addition } = response;
  const place = turnPlace(keyId);
  const input = seal.sealList(turn.input, place);
  return {
    ...response,
    envelope: seal.seal(envelope, envelopePlace(id)),
    turn: { ...turn, input, output: seal.sealList(turn.output, place) },
    wholeInput: wholeInput === turn.input ? input : seal.sealList(wholeInput, place),
    ...(addition && { addition: sealAddition(seal, addition, addition.id) }),
  };
}

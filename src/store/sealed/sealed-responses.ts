import type { ResponseStore } from '../../inference/responses/response-store.ts';
import type { StoredResponse, StoredTurn } from '../../money/ledger/stored-response.ts';
import type { ContentSeal } from './content-seal.ts';
import { sealAddition } from './sealed-conversations.ts';

/** Turns of one key continue each other, so any of them can be read with another. */
const turnPlace = (keyId: string): string => JSON.stringify(['turn', keyId]);
const envelopePlace = (id: string): string => JSON.stringify(['response', id]);

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

type Reads = Pick<
  ResponseStore,
  'saveResponse' | 'loadEnvelope' | 'loadAnswered' | 'loadTurns' | 'loadSection'
>;

/** Returns the reads of responses, which decrypt what they return. */
export function sealedResponses(store: Reads, seal: ContentSeal): Reads {
  const openTurn = async <Turn extends Partial<StoredTurn>>(turn: Turn, keyId: string): Promise<Turn> => {
    const { input, output } = turn;
    return {
      ...turn,
      ...(input !== undefined && { input: await seal.openList(input, turnPlace(keyId)) }),
      ...(output !== undefined && { output: await seal.openList(output, turnPlace(keyId)) }),
    };
  };
  return {
    saveResponse: (accountId, response) => store.saveResponse(accountId, sealResponse(seal, response)),
    async loadEnvelope(wanted) {
      const envelope = await store.loadEnvelope(wanted);
      return envelope === undefined ? undefined : seal.open(envelope, envelopePlace(wanted.id));
    },
    async loadAnswered(wanted) {
      const answered = await store.loadAnswered(wanted);
      if (!answered) return undefined;
      const envelope = await seal.open(answered.envelope, envelopePlace(wanted.id));
      return openTurn({ ...answered, envelope }, wanted.keyId);
    },
    async loadTurns(wanted) {
      const turns = await store.loadTurns(wanted);
      return Promise.all(turns.map((turn) => openTurn(turn, wanted.keyId)));
    },
    async loadSection(section, keyId) {
      const list = await store.loadSection(section, keyId);
      return list === undefined ? undefined : seal.openList(list, turnPlace(keyId));
    },
  };
}

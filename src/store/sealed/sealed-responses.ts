import type { ResponseStore } from '../../inference/responses/response-store.ts';
import type { StoredTurn } from '../../money/ledger/stored-response.ts';
import type { ContentSeal } from './content-seal.ts';
import { envelopePlace, sealResponse, turnPlace } from './seal-response.ts';

/** The methods of responses that write and read content. */
type Content = Pick<
  ResponseStore,
  'saveResponse' | 'loadEnvelope' | 'loadAnswered' | 'loadTurns' | 'loadSection'
>;

/** Encrypts the content of responses when they are stored, and decrypts it when they are loaded. */
export const sealedResponses = (store: Content, seal: ContentSeal): Content => ({
  saveResponse: (accountId, response) => store.saveResponse(accountId, sealResponse(seal, response)),
  async loadEnvelope(wanted) {
    const envelope = await store.loadEnvelope(wanted);
    return envelope === undefined ? undefined : seal.open(envelope, envelopePlace(wanted.id));
  },
  async loadAnswered(wanted) {
    const answered = await store.loadAnswered(wanted);
    if (!answered) return undefined;
    const envelope = await seal.open(answered.envelope, envelopePlace(wanted.id));
    const output = await seal.openList(answered.output, turnPlace(wanted.keyId));
    return { ...answered, envelope, output };
  },
  async loadTurns(wanted) {
    const turns = await store.loadTurns(wanted);
    return Promise.all(turns.map((turn) => openTurn(seal, turn, wanted.keyId)));
  },
  async loadSection(section, keyId) {
    const list = await store.loadSection(section, keyId);
    return list === undefined ? undefined : seal.openList(list, turnPlace(keyId));
  },
});

async function openTurn(seal: ContentSeal, turn: StoredTurn, keyId: string): Promise<StoredTurn> {
  const place = turnPlace(keyId);
  const input = await seal.openList(turn.input, place);
  return { ...turn, input, output: await seal.openList(turn.output, place) };
}

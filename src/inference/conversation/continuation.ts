import { Refusal } from '../../base/errors/refusal.ts';
import { knownBody } from '../../base/json/json-body.ts';
import { patchChecked } from '../../base/json/patch-json.ts';
import type { StoredTurn } from '../../money/ledger/stored-response.ts';
import type { InferenceRequest } from '../../translation/contract/inference-request.ts';
import { openContinuation } from '../../translation/encoding/continuation-token.ts';

const NO_ITEMS = '[]';

/** Opens the token by which a vendor resumes an answer. `member`: the member with the token. */
export function openToken(
  request: InferenceRequest,
  member: string,
  { keyId, recapKey }: { keyId: string; recapKey: Uint8Array },
): InferenceRequest | Refusal {
  const { text, value } = request.body;
  const sealed = value[member];
  const keyed = { ...request, keyId };
  if (typeof sealed !== 'string') return keyed;
  const token = openContinuation(sealed, { keyId, model: request.model, key: recapKey });
  if (token === undefined) return notIssued(member);
  const body = knownBody(patchChecked(text, value, { [member]: JSON.stringify(token) }), {
    ...value,
    [member]: token,
  });
  return { ...keyed, body };
}

const notIssued = (param: string): Refusal =>
  new Refusal('invalid_request', {
    param,
    message: `${param} was not issued to this key for this model.`,
  });

/**
 * Returns the turns without the output that the token stands for: what the vendor had written when it issued
 * the token. A turn without input continued the turn before it.
 */
export function beforeContinuation(turns: readonly StoredTurn[]): StoredTurn[] {
  const firstContinued = turns.findLastIndex(({ input }) => input !== NO_ITEMS);
  return turns.map((turn, index) => (index >= firstContinued ? { ...turn, output: NO_ITEMS } : turn));
}

import { membersOf, patchJson } from '../../base/json/patch-json.ts';
import { objectOf, textOf } from '../../base/json/read-json.ts';
import { isObject } from '../../base/lib/is-object.ts';
import type { LossCode } from '../../translation/canonical/loss.ts';
import type { Wire } from '../../translation/canonical/wire.ts';
import type { Carriage } from '../../translation/contract/carriage.ts';
import type { InferenceRequest } from '../../translation/contract/inference-request.ts';

/** A member with the id of an earlier answer, which the vendor compares with this request. */
type Reference = {
  member: string;
  id: string;
  /** True if the vendor keeps a record only of requests that have the member. */
  optsIn: boolean;
  /** True if the vendor answers an unknown id. Otherwise the reference is removed. */
  answersUnknown: boolean;
};

const references: Partial<Record<Wire, Reference>> = {
  'anthropic-messages': {
    member: 'diagnostics',
    id: 'previous_message_id',
    optsIn: true,
    answersUnknown: true,
  },
  'openai-responses': {
    member: 'prompt_cache_options',
    id: 'comparison_response_id',
    optsIn: false,
    answersUnknown: false,
  },
};

/** The number of answers that are remembered, at about 200 bytes each. */
const MAX_IDS = 10_000;

/**
 * The vendors' ids of the latest answers. They are in memory only, since vendors keep the records to compare
 * with for a short time.
 */
export class VendorIds {
  readonly #ids = new Map<string, string>();

  remember({ account, provider, id }: AnswerPlace, vendorId: string): void {
    this.#ids.set(`${account} ${provider} ${id}`, vendorId);
    if (this.#ids.size > MAX_IDS) this.#ids.delete(this.#ids.keys().next().value!);
  }

  find({ account, provider, id }: AnswerPlace): string | undefined {
    return this.#ids.get(`${account} ${provider} ${id}`);
  }
}

/** An answer by the id that its client has seen. Only the provider that gave it knows its own id. */
export type AnswerPlace = { account: string; provider: string; id: string };

/** Reports whether a later request may refer to the answer to a request on a wire. */
export function mayBeCompared(request: InferenceRequest, wire: Wire): boolean {
  const reference = references[wire];
  return reference !== undefined && (!reference.optsIn || request.body.value[reference.member] != null);
}

/** Replaces the id of an earlier answer by the vendor's own, which `find` returns. */
export function withVendorIds(
  carriage: Carriage,
  request: InferenceRequest,
  find: (id: string) => string | undefined,
): Carriage {
  const reference = references[carriage.wire];
  if (reference === undefined) return carriage;
  const { member, id, answersUnknown } = reference;
  const value = request.body.value[member];
  const clientId = isObject(value) ? textOf(value[id]) : undefined;
  if (clientId === undefined) return carriage;
  const vendorId = find(clientId);
  if (vendorId === undefined && answersUnknown) return carriage;
  const { [id]: _, ...members } = objectOf(value);
  const patched = vendorId === undefined ? members : { ...members, [id]: vendorId };
  const body = patchJson(carriage.body, membersOf(carriage.body), { [member]: JSON.stringify(patched) });
  const lost: LossCode[] = vendorId === undefined ? ['opaque-block'] : [];
  return { ...carriage, body, losses: [...carriage.losses, ...lost] };
}

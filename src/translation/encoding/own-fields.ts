import { isObject } from '../../base/lib/is-object.ts';
import type { Fields } from '../../base/schema/json-type.ts';
import type { ProtocolId } from '../canonical/protocol-id.ts';
import type { CanonicalRequest } from '../canonical/request.ts';
import type { EncodeNotes } from './encode-notes.ts';
import { type FieldTreatment, ownFieldNames, treatmentOf } from './own-field-treatments.ts';

/** Keeps the request's fields that only its own protocol understands. */
export function keepOwnFields(issuer: ProtocolId, body: Readonly<Fields>): Pick<CanonicalRequest, 'opaque'> {
  const names = ownFieldNames(issuer).filter(
    (name) => body[name] != null && treatmentOf(issuer, name).isCommon?.(body[name]) !== true,
  );
  if (names.length === 0) return {};
  const block = Object.fromEntries(names.map((name) => [name, body[name]]));
  return { opaque: [{ kind: 'opaque', issuer, block }] };
}

/**
 * Returns the fields that only the wire's own protocol understands. On other wires the fields are lost, or
 * refused if they are requirements.
 */
export function ownFieldsFor(
  wire: ProtocolId,
  { opaque = [] }: CanonicalRequest,
  notes: EncodeNotes,
): Fields {
  const own: Fields = {};
  for (const { issuer, block } of opaque) {
    if (!isObject(block)) continue;
    if (issuer === wire) Object.assign(own, block);
    for (const [name, value] of Object.entries(block)) {
      const treatment = treatmentOf(issuer, name);
      if (issuer !== wire || 'isRefusedEverywhere' in treatment) noteLost(treatment, { name, value }, notes);
    }
  }
  return own;
}

/** Notes or refuses the loss of a field. */
function noteLost(
  treatment: FieldTreatment,
  { name, value }: { name: string; value: unknown },
  notes: EncodeNotes,
): void {
  if (treatment.isIdle?.(value)) return;
  if ('loss' in treatment) {
    notes.lose(treatment.loss);
    if (treatment.requires?.isRequired(value)) notes.refuseField(name, treatment.requires.problem);
  } else notes.refuseField(name, treatment.problem);
}

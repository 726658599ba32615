import { Refusal } from '../../base/errors/refusal.ts';
import type { Environment } from '../../base/lib/environment.ts';
import type { Fields } from '../../base/schema/json-type.ts';
import { withHostDefaults } from '../../settings/hosts/with-host-defaults.ts';
import { divideFields } from '../../settings/stored/divide-fields.ts';

/** The fields of a provider before and after a change, and the fields that the change sets. */
export type ChangedFields = { former: Fields; merged: Fields; changes: Fields };

/**
 * Refuses an address at another server while the provider keeps a credential. No answer shows a credential,
 * so an operator who is not an owner must not be able to send it to another server.
 */
export function refuseNewServer(fields: ChangedFields, environment: Environment): Refusal | undefined {
  const { merged, changes } = fields;
  const param = Object.keys(divideFields(merged).secrets).find((name) => !(name in changes));
  if (param === undefined || !isNewServer(fields, environment)) return undefined;
  const message = `base_url names another server than before, so ${param} must be sent again.`;
  return new Refusal('invalid_request', { message, param });
}

/** Reports whether a change names another server. */
export const isNewServer = ({ former, merged, changes }: ChangedFields, environment: Environment): boolean =>
  'base_url' in changes && serverOf(former, environment) !== serverOf(merged, environment);

/** Returns the scheme, the host and the port of a provider. The address of Vertex AI is made elsewhere. */
function serverOf(fields: Fields, environment: Environment): string {
  const { base_url: address } = withHostDefaults(fields, environment);
  return typeof address === 'string' ? (URL.parse(address)?.origin ?? address) : '';
}

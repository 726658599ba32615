import { Refusal } from '../../base/errors/refusal.ts';
import type { Environment } from '../../base/lib/environment.ts';
import type { Fields } from '../../base/schema/json-type.ts';
import type { ProviderRow } from '../../settings/config/config-schema.ts';
import { hosts } from '../../settings/hosts/hosts.ts';
import { withHostDefaults } from '../../settings/hosts/with-host-defaults.ts';
import { checkProvider } from '../../settings/stored/check-rows.ts';
import { divideFields } from '../../settings/stored/divide-fields.ts';
import { invalidField } from './setting-refusals.ts';

/** Returns the row that the fields make, with the defaults of its host. */
export function checkProviderRow(fields: Fields, environment: Environment): ProviderRow | Refusal {
  const checked = checkProvider(withHostDefaults(fields, environment));
  return 'problem' in checked ? invalidField(checked.problem) : checked.row;
}

/** Returns the row of a provider that is not stored yet. */
export function checkNewProviderRow(fields: Fields, environment: Environment): ProviderRow | Refusal {
  const row = checkProviderRow(fields, environment);
  return row instanceof Refusal ? row : (refuseWithoutCredential(fields) ?? row);
}

/** Refuses a built-in host that has neither a credential nor an address of its own. */
function refuseWithoutCredential(fields: Fields): Refusal | undefined {
  const host = hosts.find(({ id }) => id === fields.id);
  if (!host || fields.base_url || Object.keys(divideFields(fields).secrets).length > 0) return undefined;
  return new Refusal('invalid_request', { message: `api_key is required for ${host.id}.`, param: 'api_key' });
}

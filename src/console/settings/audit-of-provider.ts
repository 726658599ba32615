import type { Fields } from '../../base/schema/json-type.ts';
import { divideFields } from '../../settings/stored/divide-fields.ts';

/** Returns the fields of a provider for the audit log. Of its secrets, the entry has the names alone. */
export function auditOfProvider(fields: Fields): Fields {
  const { settings, secrets } = divideFields(fields);
  const { headers, ...ways } = secrets;
  return {
    ...settings,
    credential: Object.keys(ways)[0] ?? null,
    ...(headers !== undefined && { headers: Object.keys(headers as object) }),
  };
}

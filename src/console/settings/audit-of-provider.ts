import type { Fields } from '../../base/schema/json-type.ts';
import { divideFields } from '../../settings/stored/divide-fields.ts';
import { credentialFields } from './merge-fields.ts';

/** Returns the fields of a provider for the audit log. Secrets are replaced by their names. */
export function auditOfProvider(fields: Fields): Fields {
  const { settings, secrets } = divideFields(fields);
  return {
    ...settings,
    credential: credentialFields.find((name) => name in secrets) ?? null,
    ...(secrets.headers !== undefined && { headers: Object.keys(secrets.headers as object) }),
  };
}

import type { Fields } from '../../base/schema/json-type.ts';

/** The fields of a provider that are secrets. Headers and the sections of clouds are secrets as a whole. */
export const secretFields = ['api_key', 'aws', 'azure', 'google', 'headers'] as const;

const secretNames: ReadonlySet<string> = new Set(secretFields);

/** The fields of a provider's row, apart from its secrets. */
export type DividedFields = { settings: Fields; secrets: Fields };

/** Divides the fields of a row. A secret that is null or empty is not stored. */
export function divideFields(fields: Fields): DividedFields {
  const settings: Record<string, unknown> = {};
  const secrets: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    if (!secretNames.has(name)) settings[name] = value;
    else if (!isEmpty(name, value)) secrets[name] = value;
  }
  return { settings, secrets };
}

/**
 * Reports whether a secret is empty. The empty section of a cloud is not, since it asks for the usual sources
 * of credentials.
 */
const isEmpty = (name: string, value: unknown): boolean =>
  value === null || value === '' || (name === 'headers' && Object.keys(value as object).length === 0);

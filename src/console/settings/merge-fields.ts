import type { Fields } from '../../base/schema/json-type.ts';
import type { secretFields } from '../../settings/stored/divide-fields.ts';

/** The fields that show who the gateway is. A provider has one of them. */
export const credentialFields = ['api_key', 'aws', 'azure', 'google'] as const satisfies readonly Exclude<
  (typeof secretFields)[number],
  'headers'
>[];

/**
 * Applies changes to the fields of a provider. Another way to show who the gateway is, or another protocol,
 * takes the place of the former one.
 */
export function mergeFields(former: Fields, changes: Fields): Fields {
  const credential = credentialFields.find((name) => changes[name]);
  const dropped = new Set<string>([
    ...(credential ? credentialFields.filter((name) => name !== credential) : []),
    ...('wire' in changes ? ['wires'] : []),
    ...('wires' in changes ? ['wire'] : []),
  ]);
  const kept = Object.entries(former).filter(([name]) => !dropped.has(name));
  return { ...Object.fromEntries(kept), ...changes };
}

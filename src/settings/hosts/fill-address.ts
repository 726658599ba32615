import type { Environment } from '../../base/lib/environment.ts';

/** An address with its variables filled in, or the names of the variables that are missing. */
export type FilledAddress = { address: string } | { missing: string[] };

const PLACE = /\{([A-Z0-9_]+)(?::-([^}]*))?\}/g;

/** Returns the variables in a host's address that have no default. */
export const requiredVariables = (template: string): string[] =>
  [...template.matchAll(PLACE)].flatMap(([, name, otherwise]) => (otherwise === undefined ? name! : []));

/** Fills environment variables into a host's address. Duplicate slashes at the joints are removed. */
export function fillAddress(template: string, environment: Environment): FilledAddress {
  const missing: string[] = [];
  const address = template.replace(PLACE, (_, name: string, otherwise?: string) => {
    const value = environment[name]?.replace(/\/+$/, '') || otherwise;
    if (value === undefined) missing.push(name);
    return value ?? '';
  });
  return missing.length > 0 ? { missing } : { address };
}

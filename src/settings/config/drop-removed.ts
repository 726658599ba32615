import { isObject } from '../../base/lib/is-object.ts';
import type { SchemaProblem } from '../../base/schema/schema-problem.ts';

/** Settings that this minor version ignores if they have no value, since an earlier example file has them. */
const removedSettings = [{ section: 'store', field: 'redis_url' }];

/** Removes empty settings that no longer exist from a configuration, and returns a warning for each. */
export function dropRemoved(value: unknown): SchemaProblem[] {
  if (!isObject(value)) return [];
  return removedSettings.flatMap(({ section, field }) => {
    const holder = value[section];
    if (!isObject(holder) || !Object.hasOwn(holder, field) || (holder[field] ?? '') !== '') return [];
    delete (holder as Record<string, unknown>)[field];
    return [{ path: [section, field], message: 'is no longer a setting; remove the line' }];
  });
}

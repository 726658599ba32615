import type { JsonBody } from '../../base/json/json-body.ts';
import { listOf, objectOf } from '../../base/json/read-json.ts';
import type { Snapshot } from '../../settings/snapshot/snapshot.ts';
import { nativeWireOf } from './native-wire.ts';

/**
 * Reports whether every requested model has a provider with native batches. Unknown models are ignored, since
 * their items fail anyway.
 */
export function goesNatively({ catalog }: Pick<Snapshot, 'catalog'>, { value }: JsonBody): boolean {
  const names = new Set(listOf(value.requests).map((request) => objectOf(objectOf(request).params).model));
  const entries = [...names].flatMap((name) => {
    const lookUp = typeof name === 'string' ? catalog.lookUp(name, 'chat') : undefined;
    return lookUp ? [lookUp.entry] : [];
  });
  return entries.length > 0 && entries.every(({ targets }) => targets.some((target) => nativeWireOf(target)));
}

import type { JsonBody } from '../../base/json/json-body.ts';
import type { Snapshot } from '../../settings/snapshot/snapshot.ts';
import { nativeWireOf } from './native-wires.ts';

/**
 * Reports whether every requested model has a provider with native batches.
 * Unknown models are ignored, since their items fail anyway.
 */
export function goesNatively({ catalog }: Pick<Snapshot, 'catalog'>, { value }: JsonBody): boolean {
  const names = new Set(
    (value.requests as { params: { model?: unknown } }[]).map(({ params }) => params.model),
  );
  const entries = [...names].flatMap((name) =>
    typeof name === 'string'
      ? [catalog.lookUp(name, 'chat')?.entry].filter((entry) => entry !== undefined)
      : [],
  );
  return entries.length > 0 && entries.every(({ targets }) => targets.some((target) => nativeWireOf(target)));
}

import type { CatalogEntry } from '../../settings/catalog/catalog.ts';
import { leastCeilings } from '../../translation/canonical/least-ceilings.ts';
import type { Wire } from '../../translation/canonical/wire.ts';

const ceilings: Readonly<Partial<Record<Wire, number>>> = leastCeilings;

/** Returns the lowest output ceiling that every wire of the model accepts. */
export const leastOutputOf = ({ targets }: Pick<CatalogEntry, 'targets'>): number =>
  Math.max(0, ...targets.flatMap(({ wires }) => wires.map((wire) => ceilings[wire] ?? 0)));

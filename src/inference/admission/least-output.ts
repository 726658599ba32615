import type { CatalogEntry } from '../../settings/catalog/catalog.ts';
import { leastCeilings } from '../../translation/canonical/least-ceilings.ts';

const ceilings: Readonly<Partial<Record<string, number>>> = leastCeilings;

/** The fewest tokens that an answer of the model may have to be asked for, whichever way it is reached. */
export const leastOutputOf = ({ targets }: Pick<CatalogEntry, 'targets'>): number =>
  Math.max(0, ...targets.flatMap(({ wires }) => wires.map((wire) => ceilings[wire] ?? 0)));

import type { ChargeLine } from '../../money/ledger/charge-detail.ts';
import { type MeteredUnit, meteredUnits } from '../../translation/canonical/metered.ts';

/**
 * Returns the unit that a line of a charge counts, or undefined for tokens and calls. Tokens of images that
 * are part of an answer have the dimension `image` too.
 */
export const meteredUnitOf = ({ dimension, of: total }: ChargeLine): MeteredUnit | undefined =>
  total === null ? meteredUnits.find((unit) => unit === dimension) : undefined;

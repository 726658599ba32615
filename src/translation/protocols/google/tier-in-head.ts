import type { FactorPrice } from '../../canonical/price-name.ts';
import { tierPrice } from '../../canonical/service-tiers.ts';
import type { Wire } from '../../canonical/wire.ts';
import { tierWord } from './tier-word.ts';

/** The header in which the Gemini API names the tier that serves an answer. Its bodies can lack the tier. */
const HEADER = 'x-gemini-service-tier';

/** Returns the priced tier that the head of an answer names, or undefined if it names none. */
export function tierInHead(wire: Wire, head: { get(name: string): string | null }): FactorPrice | undefined {
  if (wire !== 'google-generate') return undefined;
  const reported = head.get(HEADER);
  return reported === null ? undefined : tierPrice(tierWord(reported));
}

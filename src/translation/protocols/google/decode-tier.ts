import { textOf } from '../../../base/json/read-json.ts';
import type { Hints } from '../../canonical/request.ts';

/** The vendor's tiers that cost more or less than its ordinary one. */
export const PRICED_TIERS: ReadonlySet<string> = new Set(['flex', 'priority']);

/** Decodes the tier, which is the only hint of both Google's dialects. The ordinary tier is not a hint. */
export function decodeTier(word: unknown): Hints {
  const tier = textOf(word)?.toLowerCase();
  return tier !== undefined && PRICED_TIERS.has(tier) ? { serviceTier: tier } : {};
}

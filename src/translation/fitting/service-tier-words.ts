import type { JsonObject } from '../../base/json/json-body.ts';
import { textOf } from '../../base/json/read-json.ts';
import { tierPrice } from '../canonical/service-tiers.ts';

/** The tiers that a target accepts even if it refuses all others. */
const ORDINARY = new Set<unknown>(['default', 'auto', 'standard_only']);

/** Returns the tier that a request asks for. Google's words for tiers may be in capitals. */
export const tierIn = ({ service_tier, serviceTier }: JsonObject): unknown =>
  service_tier ?? textOf(serviceTier)?.toLowerCase();

/**
 * Returns the word for one tier.
 * Returns undefined if no vendor has the tier, so its refusal says nothing about others.
 */
export const tierWord = (tier: unknown): string | undefined =>
  tierPrice(tier) === undefined ? undefined : `service_tier:${tier}`;

/** Returns the word that refuses a tier: its own, or the one for all tiers. */
export function refusedTier(tier: unknown, refuses: ReadonlySet<string>): string | undefined {
  if (typeof tier !== 'string') return undefined;
  if (refuses.has(`service_tier:${tier}`)) return `service_tier:${tier}`;
  return refuses.has('service_tier') && !ORDINARY.has(tier) ? 'service_tier' : undefined;
}

import type { Provider } from '../../../settings/hosts/providers.ts';
import type { SmallReply } from '../../../upstream/calling/ask-small.ts';
import { faultRemedies, skewOf } from '../../../upstream/calling/provider-fault.ts';
import { type Finding, warn } from './finding.ts';
import { asRemedy } from './finding-text.ts';

/** A larger difference is a fault of one of the clocks, and signatures fail at five minutes. */
const MAX_SKEW_MS = 60_000;

/** Warns if a reply shows that the provider's clock differs from that of this machine. */
export function providerClockFindings({ id }: Provider, replies: readonly SmallReply[]): Finding[] {
  const skewMs = replies.map(({ headers }) => skewOf(headers) ?? 0).find((ms) => Math.abs(ms) > MAX_SKEW_MS);
  if (skewMs === undefined) return [];
  const seconds = Math.round(Math.abs(skewMs) / 1_000);
  const side = skewMs > 0 ? 'ahead of' : 'behind';
  const message = `the clock of ${id} is ${seconds} s ${side} the clock of this machine`;
  return [warn('live', message, asRemedy(faultRemedies.clock_skew))];
}

import { textOf } from '../../../base/json/read-json.ts';
import { tierPrice } from '../../canonical/service-tiers.ts';
import type { HostedGoogleTool } from '../../members/google-tools.ts';
import type { Inspection } from '../../members/inspection.ts';
import type { MemberRule } from '../../members/member-rule.ts';

/**
 * Notes a service tier that has a price of its own. `ordinary`: the words for the usual tier, in lower case.
 */
export const serviceTierRule =
  (ordinary: ReadonlySet<string>): MemberRule =>
  (value, inspection) => {
    const tier = textOf(value)?.toLowerCase() ?? '';
    if (ordinary.has(tier)) return;
    inspection.note({
      kind: 'preference',
      extra: 'service_tier',
      loss: 'service-tier',
      price: tierPrice(tier),
      path: inspection.path(),
    });
  };

/** Notes a tool that the vendor runs. None of them has a price. */
export function noteHosted({ extra, loss, name }: HostedGoogleTool, index: number, inspection: Inspection) {
  inspection.note({ kind: 'tool', extra, loss, price: undefined, path: inspection.path(index), name });
}

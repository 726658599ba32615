import { type Asked, refusalOf, requestIdOf } from '../clients/asked.ts';
import { TRIED_AT } from '../gateway/configuration.ts';
import type { World } from '../world.ts';

/** Checks that a request fails for a vendor's fault only after all vendors of its model were tried. */
export function checkAttempts({ clients, vendors, watch, simulation }: World): void {
  const away = new Set(vendors.filter(({ hasBeenDown }) => hasBeenDown).map(({ parts }) => parts.name));
  for (const one of clients.asked) {
    if (!isRefusedByVendors(one)) continue;
    const tried = watch.callsOf(one.marker).map(({ vendor }) => vendor);
    const left = (TRIED_AT[one.model] ?? []).filter((vendor) => !away.has(vendor) && !tried.includes(vendor));
    if (left.length > 0)
      simulation.fail(`${one.marker} (${requestIdOf(one)}) failed, and was not tried at ${left.join()}`);
  }
}

const isRefusedByVendors = (one: Asked): boolean =>
  one.idempotencyKey === undefined &&
  one.record.ending === 'whole' &&
  /^upstream_/.test(refusalOf(one) ?? '');

import type { Death, DiskState } from '../disk/disk.ts';
import type { Draws } from '../kernel/draws.ts';
import { type Moment, moments } from '../kernel/simulation.ts';

export type PlannedDeath = {
  how: Death | 'stop';
  /** At a time after the start of the life, or when the life passes a moment for the n-th time. */
  when: { afterMs: number } | { moment: Moment; pass: number };
};
/** With `deathMs` the power fails that long after the trouble has begun. */
export type DiskTrouble = { fromMs: number; forMs: number; state: DiskState; deathMs: number | undefined };
export type VendorOutage = { fromMs: number; forMs: number; vendor: number };

/** The faults of a run. */
export type FaultPlan = {
  deaths: PlannedDeath[];
  disk: DiskTrouble[];
  outages: VendorOutage[];
  /** The factor of the vendors' bad answers. */
  trouble: number;
};

function drawDeath(random: Draws, spanMs: number): PlannedDeath {
  const how = random.weighted({ kill: 5, power: 5, stop: 1 });
  if (random.chance(0.4) || how === 'stop') return { how, when: { afterMs: random.between(1, spanMs / 2) } };
  return { how, when: { moment: random.of(moments), pass: Math.ceil(random.skewed(1, 40)) } };
}

/** Draws the faults of a run that lasts about this long. */
export function drawFaults(random: Draws, spanMs: number): FaultPlan {
  const count = (most: number) => random.below(most + 1);
  return {
    deaths: Array.from({ length: random.of([0, 1, 1, 2, 3, 4]) }, () => drawDeath(random, spanMs)),
    disk: random.chance(0.35)
      ? Array.from({ length: 1 + count(1) }, () => ({
          fromMs: random.between(0, spanMs),
          forMs: random.skewed(50, 40_000),
          state: random.of(['full', 'failing', 'unsure', 'slow'] as const),
          deathMs: random.chance(0.5) ? random.skewed(10, 10_000) : undefined,
        }))
      : [],
    outages: random.chance(0.3)
      ? [{ fromMs: random.between(0, spanMs), forMs: random.skewed(100, 15_000), vendor: random.below(4) }]
      : [],
    trouble: random.of([0, 1, 1, 4]),
  };
}

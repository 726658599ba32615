import type { Death, DiskState } from '../disk/disk.ts';
import { vendorNames } from '../gateway/configuration.ts';
import type { Draws } from '../kernel/draws.ts';
import { type Moment, moments, type RareMoment, rareMoments } from '../kernel/simulation.ts';

export type PlannedDeath = {
  how: Death | 'stop';
  /**
   * The time of the fault: after the start of the life, or when the life passes a moment for the n-th time.
   */
  when: { afterMs: number } | { moment: Moment; pass: number };
};
/** A death that long after a process passes a rare moment for the n-th time. */
export type RareDeath = { how: Death; moment: RareMoment; pass: number; afterMs: number; node: number };
/**
 * With `deathMs` the power fails that long after the trouble has begun. With `vendorsFail` most answers fail
 * meanwhile, so that requests end while the disk cannot take it.
 */
export type DiskTrouble = {
  fromMs: number;
  forMs: number;
  state: DiskState;
  deathMs: number | undefined;
  vendorsFail: boolean;
  node: number;
};
/** Faults of the database that the nodes share, and of the network to it. */
export type DatabasePlan = {
  /** The share of statements that meet trouble. */
  trouble: number;
  restarts: { afterMs: number; downMs: number; how: 'restart' | 'crash' }[];
  cuts: { fromMs: number; forMs: number; node: number }[];
};
/**
 * The disk fails as a vendor has ended an answer, as an answer breaks off that took more than a second, when
 * an answer is kept for repetitions and is not charged yet, or when the results of a vendor's batch are read.
 */
export type DiskTroubleAt = { pass: number; forMs: number; state: DiskState; node: number };
export type VendorOutage = { fromMs: number; forMs: number; vendor: number };

/** The faults of a run. */
export type FaultPlan = {
  /** The faults of each process. */
  deaths: PlannedDeath[][];
  /** The process that is not started again before the faults end. */
  lostNode: number | undefined;
  disk: DiskTrouble[];
  rareDeath: RareDeath | undefined;
  diskAtEnd: DiskTroubleAt | undefined;
  diskAtBreak: DiskTroubleAt | undefined;
  diskAtKeep: DiskTroubleAt | undefined;
  diskAtResults: DiskTroubleAt | undefined;
  outages: VendorOutage[];
  /** The factor of the vendors' bad answers. */
  trouble: number;
  database: DatabasePlan | undefined;
};

const EARLY_MS = 6_000;

function drawDeath(random: Draws, spanMs: number): PlannedDeath {
  const how = random.weighted({ kill: 5, power: 5, stop: 2 });
  if (random.chance(0.4) || how === 'stop') return { how, when: { afterMs: random.between(1, spanMs / 2) } };
  return { how, when: { moment: random.of(moments), pass: Math.ceil(random.skewed(1, 40)) } };
}

function drawDatabasePlan(random: Draws, spanMs: number, nodes: number): DatabasePlan {
  const some = <T>(share: number, draw: () => T): T[] =>
    random.chance(share) ? Array.from({ length: random.between(1, 2) }, draw) : [];
  return {
    trouble: random.of([0, 0, 0.001, 0.005, 0.03]),
    restarts: some(0.3, () => ({
      afterMs: random.between(0, spanMs),
      downMs: random.skewed(10, 20_000),
      how: random.of(['restart', 'crash'] as const),
    })),
    cuts: some(0.3, () => ({
      fromMs: random.between(0, spanMs),
      forMs: random.skewed(100, 30_000),
      node: random.below(nodes),
    })),
  };
}

/** Draws the faults of a run that lasts about this long, for each of its processes. */
export function drawFaults(random: Draws, spanMs: number, nodes: number): FaultPlan {
  const count = (most: number) => random.below(most + 1);
  return {
    deaths: Array.from({ length: nodes }, () =>
      Array.from({ length: random.of(nodes === 1 ? [0, 1, 1, 2, 3, 4] : [0, 0, 1, 2]) }, () =>
        drawDeath(random, spanMs),
      ),
    ),
    lostNode: nodes > 1 && random.chance(0.3) ? random.below(nodes) : undefined,
    disk: random.chance(0.35)
      ? Array.from({ length: 1 + count(1) }, () => ({
          // Clients that spend an account's credit begin early.
          fromMs: random.between(0, random.chance(0.5) ? spanMs : EARLY_MS),
          forMs: random.skewed(50, 40_000),
          state: random.of(['full', 'failing', 'unsure', 'slow'] as const),
          deathMs: random.chance(0.4) ? random.skewed(10, 10_000) : undefined,
          vendorsFail: random.chance(0.5),
          node: random.below(nodes),
        }))
      : [],
    diskAtBreak: random.chance(0.2)
      ? {
          pass: random.between(1, 3),
          forMs: random.skewed(200, 10_000),
          state: random.of(['full', 'failing', 'unsure'] as const),
          node: random.below(nodes),
        }
      : undefined,
    diskAtEnd: random.chance(0.2)
      ? {
          pass: random.between(1, 12),
          forMs: random.skewed(200, 6_000),
          state: 'full',
          node: random.below(nodes),
        }
      : undefined,
    rareDeath: random.chance(0.5)
      ? {
          how: random.of(['kill', 'power'] as const),
          moment: random.of(rareMoments),
          pass: random.between(1, 2),
          afterMs: random.of([0, random.skewed(1, 3_000)]),
          node: random.below(nodes),
        }
      : undefined,
    outages: random.chance(0.3)
      ? [
          {
            fromMs: random.between(0, spanMs),
            forMs: random.skewed(100, 15_000),
            vendor: random.below(vendorNames.length),
          },
        ]
      : [],
    trouble: random.of([0, 1, 1, 4]),
    database: nodes > 1 ? drawDatabasePlan(random, spanMs, nodes) : undefined,
    diskAtKeep: random.chance(0.15)
      ? {
          pass: random.between(1, 3),
          forMs: random.skewed(200, 4_000),
          state: random.of(['failing', 'unsure'] as const),
          node: random.below(nodes),
        }
      : undefined,
    diskAtResults: random.chance(0.3)
      ? {
          pass: random.between(1, 2),
          forMs: random.skewed(2_500, 10_000),
          state: random.of(['full', 'failing', 'unsure'] as const),
          node: random.below(nodes),
        }
      : undefined,
  };
}

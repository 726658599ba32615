import type { DiskState } from '../disk/disk.ts';
import { vendorNames } from '../gateway/configuration.ts';
import type { Draws } from '../kernel/draws.ts';
import { moments, rareMoments } from '../kernel/simulation.ts';
import type { DatabasePlan, FaultPlan, PlannedCrash, TimedDiskTrouble } from './fault-plan.ts';

/** Clients that spend the credit of an account begin within this time. */
const EARLY_MS = 6_000;

function drawCrash(random: Draws, spanMs: number): PlannedCrash {
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

type TroubleBounds = { share: number; passes: number; forMs: [number, number]; state: () => DiskState };

/** Draws trouble of a disk at one of the first passes of a moment. Undefined if the run has none. */
function drawDiskTrouble(
  random: Draws,
  nodes: number,
  { share, passes, forMs, state }: TroubleBounds,
): TimedDiskTrouble | undefined {
  if (!random.chance(share)) return undefined;
  const pass = random.between(1, passes);
  return { pass, forMs: random.skewed(...forMs), state: state(), node: random.below(nodes) };
}

/** Draws the faults of a run that lasts about this long, for each of its processes. */
export function drawFaults(random: Draws, spanMs: number, nodes: number): FaultPlan {
  const failure = () => random.of(['full', 'failing', 'unsure'] as const);
  const crashes = Array.from({ length: nodes }, () =>
    Array.from({ length: random.of(nodes === 1 ? [0, 1, 1, 2, 3, 4] : [0, 0, 1, 2]) }, () =>
      drawCrash(random, spanMs),
    ),
  );
  const lostNode = nodes > 1 && random.chance(0.3) ? random.below(nodes) : undefined;
  const disk = random.chance(0.35)
    ? Array.from({ length: random.between(1, 2) }, () => ({
        fromMs: random.between(0, random.chance(0.5) ? spanMs : EARLY_MS),
        forMs: random.skewed(50, 40_000),
        state: random.of(['full', 'failing', 'unsure', 'slow'] as const),
        crashAfterMs: random.chance(0.4) ? random.skewed(10, 10_000) : undefined,
        vendorsFail: random.chance(0.5),
        node: random.below(nodes),
      }))
    : [];
  const atBreak = drawDiskTrouble(random, nodes, {
    share: 0.2,
    passes: 3,
    forMs: [200, 10_000],
    state: failure,
  });
  const atEnd = drawDiskTrouble(random, nodes, {
    share: 0.2,
    passes: 12,
    forMs: [200, 6_000],
    state: () => 'full',
  });
  const rareCrash = random.chance(0.5)
    ? {
        how: random.of(['kill', 'power'] as const),
        moment: random.of(rareMoments),
        pass: random.between(1, 2),
        afterMs: random.of([0, random.skewed(1, 3_000)]),
        node: random.below(nodes),
      }
    : undefined;
  const outages = random.chance(0.3)
    ? [
        {
          fromMs: random.between(0, spanMs),
          forMs: random.skewed(100, 15_000),
          vendor: random.below(vendorNames.length),
        },
      ]
    : [];
  const trouble = random.of([0, 1, 1, 4]);
  const database = nodes > 1 ? drawDatabasePlan(random, spanMs, nodes) : undefined;
  const atRecording = drawDiskTrouble(random, nodes, {
    share: 0.15,
    passes: 3,
    forMs: [200, 4_000],
    state: () => random.of(['failing', 'unsure'] as const),
  });
  const atResults = drawDiskTrouble(random, nodes, {
    share: 0.3,
    passes: 2,
    forMs: [2_500, 10_000],
    state: failure,
  });
  const diskAt = { end: atEnd, break: atBreak, recording: atRecording, results: atResults };
  return { crashes, lostNode, disk, diskAt, rareCrash, outages, trouble, database };
}

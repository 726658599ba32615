import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { buildWorld, type SeedOptions } from './build-world.ts';
import { checkAtEnd } from './check/check-at-end.ts';
import { runClient } from './clients/run-client.ts';
import { drawFaults } from './faults/draw-faults.ts';
import { Faults } from './faults/faults.ts';
import { MADE_AT } from './gateway/configuration.ts';
import { drainRandomText } from './gateway/drain-random-text.ts';
import { Draws } from './kernel/draws.ts';
import { settle } from './kernel/replace-globals.ts';
import { Simulation } from './kernel/simulation.ts';
import { stage } from './kernel/stage.ts';
import { occasionalLoads } from './occasional-loads.ts';
import { operate } from './operators/operate.ts';
import type { World } from './world.ts';

type SeedReport = {
  /** The digest of everything that happened: two runs of a seed have the same. */
  digest: string;
  failures: string[];
  /** The places that the run reached, which show whether the load covers everything. */
  counts: Record<string, number>;
};

const DAY_MS = 86_400_000;
/** The share of the runs in which operators change limits and move money. */
const OPERATED = 0.6;

/** Draws the start of a run. Some begin shortly before a cycle, a month of caps or a day of budgets ends. */
function drawStart(random: Draws): number {
  const beforeEnd = random.between(1, 20_000);
  const ends = [MADE_AT + 31 * DAY_MS, Date.UTC(2027, 1, 1), Date.UTC(2027, 0, 5)];
  return random.chance(0.4) ? random.of(ends) - beforeEnd : MADE_AT + random.between(60_000, 3_600_000);
}

/** Runs the gateway under load with the faults that the seed draws, and checks what it promises. */
export async function runSeed(options: SeedOptions): Promise<SeedReport> {
  const { seed, template, shows } = options;
  const simulation = new Simulation({ seed, startsAt: drawStart(new Draws(seed, 'start')), shows });
  const directory = join(template.root, `seed-${seed}`);
  stage.enter(simulation);
  const reject = (error: unknown) =>
    simulation.fail(`a rejection is not handled: ${(error as Error | undefined)?.stack ?? error}`);
  process.on('unhandledRejection', reject);
  try {
    drainRandomText(() => simulation.randomFills);
    const world = buildWorld(options, simulation, directory);
    await simulation
      .run(() => drive(world), settle)
      .catch((error: Error) => simulation.fail(`the run ended by ${error.stack ?? error}`));
    return {
      digest: simulation.trace.digest,
      failures: simulation.failures,
      counts: { ...world.counts, tasks: simulation.trace.count },
    };
  } finally {
    for (const host of simulation.hosts) host.closeFiles();
    stage.leave();
    for (const path of [directory, `${directory}.next`]) rmSync(path, { recursive: true, force: true });
    for (const signal of ['SIGTERM', 'SIGINT']) process.removeAllListeners(signal);
    process.off('unhandledRejection', reject);
  }
}

/** Runs the load and the faults, and then the checks. */
async function drive(world: World): Promise<void> {
  const { simulation, nodes, database, vendors, clients, operators, squeeze, counts } = world;
  const random = simulation.draws('plan');
  const calls = random.between(20, 60);
  const clientCount = random.between(3, 8);
  const longestPauseMs = random.of([300, 2_000, 8_000, 60_000]);
  const spanMs = (calls / clientCount) * (longestPauseMs / 5 + 1_500);
  const plan = drawFaults(random, spanMs, nodes.length);
  world.hasStoreTrouble =
    plan.disk.length > 0 ||
    Object.values(plan.diskAt).some((trouble) => trouble !== undefined) ||
    plan.database !== undefined;
  const faults = new Faults({ simulation, nodes, database, vendors, plan });
  world.faults = faults;
  faults.begin();
  const each = Math.ceil(calls / clientCount);
  const load = Array.from({ length: clientCount }, () => runClient(clients, each, longestPauseMs));
  for (const [name, { share, run }] of Object.entries(occasionalLoads)) {
    const own = simulation.draws(name);
    if (own.chance(share)) load.push(run(world, own));
  }
  if (operators.random.chance(OPERATED)) load.push(operate(operators, spanMs));
  await Promise.all(load);
  await squeeze.end();
  await faults.end();
  Object.assign(counts, {
    crashes: faults.crashes,
    asked: clients.asked.length,
    batches: clients.batches.length,
    movements: operators.movements.length,
  });
  await checkAtEnd(world);
}

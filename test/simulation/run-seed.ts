import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { checkAtEnd } from './check/check-at-end.ts';
import { VendorWatch } from './check/vendor-watch.ts';
import { Clients } from './clients/clients.ts';
import { Disk } from './disk/disk.ts';
import { Faults } from './faults/cause-faults.ts';
import { drawFaults } from './faults/draw-faults.ts';
import { MADE_AT, VENDOR_PORTS } from './gateway/configuration.ts';
import { drainRandomText } from './gateway/drain-random-text.ts';
import { Gateway, type Program } from './gateway/gateway.ts';
import { copyTemplate, type Template } from './gateway/make-template.ts';
import { Draws } from './kernel/draws.ts';
import { settle } from './kernel/replace-globals.ts';
import { Simulation } from './kernel/simulation.ts';
import { stage } from './kernel/stage.ts';
import { listenAt } from './network/connect.ts';
import { Vendor } from './vendors/vendor.ts';
import type { World } from './world.ts';

export type SeedOptions = {
  seed: number;
  template: Template;
  program: Program;
  shows?: ((line: string) => void) | undefined;
};

export type SeedReport = {
  seed: number;
  /** Of everything that happened: two runs of a seed have the same. */
  digest: string;
  failures: string[];
  /** What the run reached, which shows whether the load covers everything. */
  counts: Record<string, number>;
  last: string[];
};

const DAY_MS = 86_400_000;

/** Some runs begin shortly before a cycle, a month of caps or a day of budgets ends. */
function startOf(random: Draws): number {
  const beforeEnd = random.between(1, 20_000);
  const ends = [MADE_AT + 31 * DAY_MS, Date.UTC(2027, 1, 1), Date.UTC(2027, 0, 5)];
  return random.chance(0.4) ? random.of(ends) - beforeEnd : MADE_AT + random.between(60_000, 3_600_000);
}

/** Runs the gateway under load with the faults that the seed draws, and checks what it promises. */
export async function runSeed(options: SeedOptions): Promise<SeedReport> {
  const { seed, template, shows } = options;
  const simulation = new Simulation({ seed, startsAt: startOf(new Draws(seed, 'start')), shows });
  const directory = join(template.root, `seed-${seed}`);
  copyTemplate(template, directory);
  stage.enter(simulation);
  try {
    drainRandomText(() => simulation.randomFills);
    const world = buildWorld(options, simulation, directory);
    await simulation
      .run(() => drive(world), settle)
      .catch((error: Error) => simulation.fail(`the run ended by ${error.stack ?? error}`));
    return {
      seed,
      digest: simulation.trace.digest,
      failures: simulation.failures,
      counts: { ...world.counts, tasks: simulation.trace.count },
      last: simulation.trace.last(60),
    };
  } finally {
    for (const host of simulation.hosts) host.closeFiles();
    stage.leave();
    for (const path of [directory, `${directory}.next`]) rmSync(path, { recursive: true, force: true });
  }
}

function buildWorld({ template, program }: SeedOptions, simulation: Simulation, directory: string): World {
  const disk = new Disk(simulation, directory);
  const configFile = join(template.root, 'tollgate.yaml');
  const gateway = new Gateway({ simulation, program, disk, name: 'gateway', configFile });
  const clients = new Clients({
    simulation,
    accounts: template.accounts,
    random: simulation.draws('asking'),
  });
  const watch = new VendorWatch(simulation, clients);
  const vendors = Object.entries(VENDOR_PORTS).map(([name, port]) => {
    const wire = name === 'third' ? ('anthropic-messages' as const) : ('openai-chat' as const);
    const vendor = new Vendor(simulation, {
      name,
      wire,
      calls: watch.calls,
      began: (call) => watch.began(call, vendor.hasBeenDown),
    });
    listenAt(simulation, port, vendor);
    return vendor;
  });
  return {
    simulation,
    gateway,
    clients,
    vendors,
    watch,
    template,
    directory,
    hasDiskTrouble: false,
    counts: {},
  };
}

async function drive(world: World): Promise<void> {
  const { simulation, gateway, vendors, clients, counts } = world;
  const random = simulation.draws('plan');
  const calls = random.between(20, 60);
  const clientCount = random.between(3, 8);
  const longestPauseMs = random.of([300, 2_000, 8_000, 60_000]);
  const spanMs = (calls / clientCount) * (longestPauseMs / 5 + 1_500);
  const plan = drawFaults(random, spanMs);
  world.hasDiskTrouble = plan.disk.length > 0;
  const faults = new Faults({ simulation, gateway, vendors, plan });
  faults.begin();
  const each = Math.ceil(calls / clientCount);
  await Promise.all(Array.from({ length: clientCount }, () => clients.run(each, longestPauseMs)));
  await faults.end();
  Object.assign(counts, {
    deaths: faults.deaths,
    asked: clients.asked.length,
    batches: clients.batches.length,
  });
  await checkAtEnd(world);
}

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { checkAtEnd } from './check/check-at-end.ts';
import { checkEnd } from './check/check-readers.ts';
import { DatabaseReader } from './check/database-reader.ts';
import { FileReader } from './check/file-reader.ts';
import { VendorWatch } from './check/vendor-watch.ts';
import { askSlowly } from './clients/ask-slowly.ts';
import { askSubstitutes } from './clients/ask-substitutes.ts';
import { cancelAway } from './clients/cancel-away.ts';
import { Clients } from './clients/clients.ts';
import { raiseCap } from './clients/raise-cap.ts';
import { runClient } from './clients/run-client.ts';
import { spendBesideItems } from './clients/spend-beside-items.ts';
import { spendDay } from './clients/spend-day.ts';
import { spendHour } from './clients/spend-hour.ts';
import { DATABASE_PORT, DatabaseServer } from './database/database-server.ts';
import { Disk } from './disk/disk.ts';
import { drawFaults } from './faults/draw-faults.ts';
import { Faults } from './faults/faults.ts';
import {
  ANTHROPIC,
  MADE_AT,
  nativeModels,
  STRIPE_PORT,
  VENDOR_PORTS,
  vendorNames,
} from './gateway/configuration.ts';
import { drainRandomText } from './gateway/drain-random-text.ts';
import { Gateway, type Program } from './gateway/gateway.ts';
import { copyTemplate, type Template } from './gateway/make-template.ts';
import { Draws } from './kernel/draws.ts';
import { settle } from './kernel/replace-globals.ts';
import { Simulation } from './kernel/simulation.ts';
import { stage } from './kernel/stage.ts';
import { PORT } from './network/call.ts';
import { listenAt } from './network/connect.ts';
import { serveFetches } from './network/fetch.ts';
import { flap } from './operators/flap.ts';
import { operate } from './operators/operate.ts';
import { Operators } from './operators/operators.ts';
import { Squeeze } from './operators/squeeze.ts';
import { BatchVendor } from './vendors/batch-vendor.ts';
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
  /** The digest of everything that happened: two runs of a seed have the same. */
  digest: string;
  failures: string[];
  /** The places that the run reached, which show whether the load covers everything. */
  counts: Record<string, number>;
  last: string[];
};

const DAY_MS = 86_400_000;
/** The share of the runs in which operators change limits and move money. */
const OPERATED = 0.6;

type Load = { share: number; run(world: World, random: Draws): Promise<void> };

/** Only a share of the runs has each of these loads. Each has draws of its own. */
const occasionalLoads: Record<string, Load> = {
  /** A very slow stream. */
  slow: { share: 0.25, run: ({ clients }, random) => askSlowly(clients, random) },
  /** The run lasts an hour. */
  hour: { share: 0.06, run: ({ clients }, random) => spendHour(clients, random) },
  /** The run begins shortly before a day ends. */
  day: { share: 0.5, run: ({ clients }, random) => spendDay(clients, random) },
  /** An operator drains a provider again and again. */
  flapping: { share: 0.2, run: ({ clients, operators }, random) => flap(clients, operators, random) },
  /** Other models answer for one that fails. */
  substituted: { share: 0.2, run: ({ clients }, random) => askSubstitutes(clients, random) },
  /** The items of a batch hold most of a cap. */
  itemized: { share: 0.15, run: ({ clients }, random) => spendBesideItems(clients, random) },
  /** The cap of a key is raised while requests hold it. */
  raised: { share: 0.25, run: ({ clients, operators }, random) => raiseCap(clients, operators, random) },
  /** A batch is canceled while its vendor works on it. */
  'canceled away': { share: 0.2, run: cancelAway },
};

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
    for (const signal of ['SIGTERM', 'SIGINT']) process.removeAllListeners(signal);
    process.off('unhandledRejection', reject);
  }
}

/** Builds the processes of a run, each with its own directory, and the database that they share. */
function buildNodes({ template, program }: SeedOptions, simulation: Simulation, directory: string) {
  const configFile = join(template.root, 'tollgate.yaml');
  const count = template.database ? simulation.draws('nodes').between(2, 3) : 1;
  const nodes = Array.from({ length: count }, (_, index) => {
    const own = count === 1 ? directory : join(directory, String(index + 1));
    copyTemplate(template, own);
    const disk = new Disk(simulation, own);
    const name = count === 1 ? 'gateway' : `node${index + 1}`;
    return new Gateway({ simulation, program, disk, name, configFile, port: PORT + index });
  });
  if (!template.database) return { nodes, database: undefined, reader: new FileReader(directory) };
  const { build, state } = template.database;
  build.return(state);
  const database = new DatabaseServer(simulation, build);
  listenAt(simulation, DATABASE_PORT, database);
  return { nodes, database, reader: new DatabaseReader(database) };
}

function buildWorld(options: SeedOptions, simulation: Simulation, directory: string): World {
  const { template } = options;
  const { nodes, database, reader } = buildNodes(options, simulation, directory);
  const clients = new Clients({
    simulation,
    accounts: template.accounts,
    random: simulation.draws('asking'),
    ports: nodes.map(({ port }) => port),
    seenEnd: (requestId, name) => void checkEnd(world, requestId, name),
  });
  const operators = new Operators({
    simulation,
    accounts: template.accounts,
    adminToken: template.adminToken,
    ports: nodes.map(({ port }) => port),
  });
  serveFetches(simulation, STRIPE_PORT, operators.stripe);
  const squeeze = new Squeeze(operators);
  const watch = new VendorWatch(simulation, clients);
  const vendors: Vendor[] = vendorNames.map((name) => {
    const vendor = new Vendor(simulation, {
      name,
      wire: ANTHROPIC.includes(name) ? 'anthropic-messages' : 'openai-chat',
      calls: watch.calls,
      lastsMs: (marker) => clients.slow.get(marker),
      scriptOf: (marker) => clients.scripts.get(marker),
      began: (call) => watch.began(call),
      ended: (call) => {
        clients.upstreamEnded(call.request.marker);
        world.faults?.answerEnded(call);
      },
    });
    listenAt(simulation, VENDOR_PORTS[name], vendor);
    return vendor;
  });
  for (const name of nativeModels) {
    const vendor = vendors.find(({ parts }) => parts.name === name)!;
    const { wire } = vendor.parts;
    const batches = new BatchVendor({
      simulation,
      name,
      wire,
      batches: watch.batches,
      created: ({ requests }) => squeeze.itemsAway(clients.batchOf(requests[0]!.marker)?.account),
      read: () => world.faults?.resultsRead(),
      isDown: () => vendor.isDown,
      trouble: () => vendor.trouble,
    });
    serveFetches(simulation, VENDOR_PORTS[name], batches);
  }
  const world: World = {
    simulation,
    nodes,
    database,
    reader,
    clients,
    operators,
    squeeze,
    vendors,
    watch,
    template,
    faults: undefined,
    hasStoreTrouble: false,
    counts: {},
  };
  return world;
}

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
    plan.diskAtEnd !== undefined ||
    plan.diskAtBreak !== undefined ||
    plan.diskAtKeep !== undefined ||
    plan.diskAtResults !== undefined ||
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
    deaths: faults.deaths,
    asked: clients.asked.length,
    batches: clients.batches.length,
    movements: operators.movements.length,
  });
  await checkAtEnd(world);
}

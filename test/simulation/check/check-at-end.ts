import { isAnswered, isWholeAnswer, refusalOf } from '../clients/asked.ts';
import { type ModelName, QUEUED, SLOTS } from '../gateway/configuration.ts';
import type { Gateway } from '../gateway/gateway.ts';
import { Call } from '../network/call.ts';
import type { World } from '../world.ts';
import { checkAttempts } from './check-attempts.ts';
import { checkBackground, haveJobsEnded } from './check-background.ts';
import { checkBatches, haveBatchesEnded } from './check-batches.ts';
import { checkChanges } from './check-changes.ts';
import { checkCharges } from './check-charges.ts';
import { checkConcurrency } from './check-concurrency.ts';
import { checkConversations } from './check-conversations.ts';
import { checkFigures } from './check-figures.ts';
import { checkLimits } from './check-limits.ts';
import { checkMovements, haveMovementsEnded } from './check-movements.ts';
import { checkNative } from './check-native.ts';
import { checkPauses } from './check-pauses.ts';
import { checkQueue } from './check-queue.ts';
import { checkReaders } from './check-readers.ts';
import { checkServed } from './check-served.ts';
import { checkStored } from './check-stored.ts';

/** The time in which everything that is under way must end. */
const END_MS = 400_000;
const LOOK_EVERY_MS = 1_000;
/** Each look costs a read of the store, so the time between looks grows up to this. */
const LOOK_AT_LEAST_EVERY_MS = 8_000;
const MAX_READS = 40;

/** Waits until nothing is under way, checks all promises, and checks them again after a crash. */
export async function checkAtEnd(world: World): Promise<void> {
  await untilIdle(world);
  checkAnswers(world);
  checkAttempts(world);
  checkReaders(world);
  checkQueue(world);
  checkConcurrency(world);
  await checkLimits(world);
  await checkChanges(world);
  await checkLedger(world);
  await checkService(world);
  // The slots of a vendor may belong to another node.
  if (!world.database) await checkPauses(world);
  if (!(await startAgain(world))) return;
  await checkLedger(world);
  await checkStored(world);
  await checkService(world);
  await untilIdle(world);
}

/** Kills all processes and starts them again. Reports whether they have started. */
async function startAgain(world: World): Promise<boolean> {
  const { simulation, nodes, reader, database } = world;
  for (const node of nodes) {
    node.kill(simulation.draws('plan').of(['kill', 'power'] as const));
    await node.died;
  }
  for (const node of nodes) {
    const started = await node.start();
    if (started === 'ready') continue;
    simulation.fail(`the last start ${started}: ${node.log.at(-1)}`);
    return false;
  }
  // Nodes on a database end what others have left within 20 s.
  if (database) await untilIdle(world);
  else if ((await reader.countHolds()) > 0) simulation.fail('a start has left holds open');
  return true;
}

/** Calls the admin API. A node answers with 503 until it has noticed that the database is back. */
async function admin({ simulation, template, nodes }: World, path: string, node = nodes[0]!) {
  const headers = { authorization: `Bearer ${template.adminToken}` };
  for (let attempt = 1; ; attempt++) {
    const { status, received } = await new Call(simulation, { method: 'GET', path, headers }, node.port).done;
    if (status === 200) return received;
    if (status !== 503 || attempt === MAX_READS)
      throw new Error(`GET ${path} answered ${status}: ${received.slice(0, 300)}`);
    await simulation.sleep(LOOK_EVERY_MS, 'asks again');
  }
}

const IDLE = [
  'tollgate_in_flight_requests',
  'tollgate_open_streams',
  'tollgate_queue_length',
  'tollgate_provider_slots_in_use',
  'tollgate_spool_settlements',
];

/** Counts the requests that are under way at a node. The request for the metrics is itself in flight. */
async function findBusyAt(world: World, node: Gateway): Promise<string[]> {
  const metrics = await admin(world, '/metrics', node);
  const busy = metrics
    .split('\n')
    .filter((line) => IDLE.some((name) => line.startsWith(name)))
    .filter((line) => Number(line.split(' ').at(-1)) > (line.startsWith(IDLE[0]!) ? 1 : 0));
  const providers = JSON.parse(await admin(world, '/admin/v1/providers', node)) as {
    data: { id: string; slots_in_use: number }[];
  };
  const slots = providers.data
    .filter(({ slots_in_use }) => slots_in_use !== 0)
    .map(({ id }) => `slots of ${id}`);
  const budgets = JSON.parse(await admin(world, '/admin/v1/budgets', node)) as {
    data: { id: string; held_usd: number }[];
  };
  if (budgets.data.length < 2) world.simulation.fail('a budget is missing');
  const held = budgets.data.filter(({ held_usd }) => held_usd !== 0).map(({ id }) => `amounts held of ${id}`);
  return [...busy, ...slots, ...held];
}

/** The looks for what is under way, the cheapest first. */
const looks: ((world: World) => Promise<string[]>)[] = [
  async ({ reader }) => ((await reader.countHolds()) > 0 ? ['open holds'] : []),
  async (world) => ((await haveBatchesEnded(world)) ? [] : ['batches']),
  async (world) => ((await haveJobsEnded(world)) ? [] : ['responses in the background']),
  async (world) => ((await haveMovementsEnded(world)) ? [] : ['movements of money']),
  async (world) => (await Promise.all(world.nodes.map((node) => findBusyAt(world, node)))).flat(),
];

/** Returns what the first look finds under way. It is empty if all is idle. */
async function findBusy(world: World): Promise<string[]> {
  for (const look of looks) {
    const busy = await look(world);
    if (busy.length > 0) return busy;
  }
  return [];
}

async function untilIdle(world: World): Promise<void> {
  const { simulation } = world;
  const until = simulation.now + END_MS;
  let busy = await findBusy(world);
  for (let waitMs = LOOK_EVERY_MS; busy.length > 0 && simulation.now < until; ) {
    await simulation.sleep(waitMs, 'looks whether all is idle');
    busy = await findBusy(world);
    waitMs = Math.min(2 * waitMs, LOOK_AT_LEAST_EVERY_MS);
  }
  if (busy.length > 0) simulation.fail(`still under way after ${END_MS / 1_000} s: ${busy.join(', ')}`);
}

/** Every call has an end, and answers are what the vendors sent. */
function checkAnswers({ clients, simulation, watch, counts }: World): void {
  for (const asked of clients.asked) {
    const { record, marker } = asked;
    const outcome = isAnswered(asked) ? 'answered' : `${record.status ?? record.ending}`;
    counts[outcome] = (counts[outcome] ?? 0) + 1;
    const code = refusalOf(asked);
    if (code !== undefined) counts[code] = (counts[code] ?? 0) + 1;
    if (record.ending === undefined) simulation.fail(`${marker} has no end`);
    if (record.status !== undefined && record.status >= 500 && ![502, 503, 504, 529].includes(record.status))
      simulation.fail(`${marker} was answered with ${record.status}: ${record.handed.slice(0, 300)}`);
    if (record.ending === 'whole' && isAnswered(asked) && !isWholeAnswer(asked, record.received))
      simulation.fail(`${marker} arrived incomplete`);
    if (isAnswered(asked) && !record.handed.includes(marker)) simulation.fail(`${marker} got another answer`);
    if (
      isAnswered(asked) &&
      !watch.callsOf(marker).some(({ behaviour }) => !/^(error|silent|no JSON)/.test(behaviour))
    )
      simulation.fail(`${marker} was answered, and no vendor has answered it`);
  }
}

async function checkLedger(world: World): Promise<void> {
  const { simulation, reader } = world;
  const { faults } = JSON.parse(await admin(world, '/admin/v1/ledger/verify')) as { faults?: unknown[] };
  for (const fault of faults ?? ['no list of faults'])
    simulation.fail(`ledger verify: ${JSON.stringify(fault)}`);
  // A payment that was taken back can leave a debt.
  const debt = `purchased credit below zero: ${world.template.accounts.paying.id}`;
  for (const contradiction of await reader.contradictions())
    if (contradiction !== debt) simulation.fail(contradiction);
  const items = await checkBatches(world);
  checkNative(world);
  await checkCharges(world, items.union(await checkBackground(world)));
  await checkConversations(world);
  await checkMovements(world);
  for (const node of world.nodes) await checkFigures(world, (path) => admin(world, path, node));
}

/** Every model is served. A slot that was lost would prevent it. */
async function checkService(world: World): Promise<void> {
  const slots = Object.values(SLOTS).reduce((sum, count) => sum + count, 0);
  const models: ModelName[] = ['alpha', 'beta', ...Array.from({ length: slots }, () => QUEUED).flat()];
  for (const model of models) await checkServed(world, 'unlimited', model);
}

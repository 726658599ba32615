import type { Gateway } from '../gateway/gateway.ts';
import type { World } from '../world.ts';
import { haveJobsEnded } from './check-background.ts';
import { haveBatchesEnded } from './check-batches.ts';
import { haveMovementsEnded } from './check-movements.ts';
import { readAdmin } from './read-admin.ts';

/** The time in which everything that is under way must end. */
const END_MS = 400_000;
const FIRST_PAUSE_MS = 1_000;
/** Each look costs a read of the store, so the pause between looks doubles up to this. */
const MAX_PAUSE_MS = 8_000;

/** The metrics that are zero while a node is idle. */
const IDLE = [
  'tollgate_in_flight_requests',
  'tollgate_open_streams',
  'tollgate_queue_length',
  'tollgate_provider_slots_in_use',
  'tollgate_spool_settlements',
];

/** Lists what is under way at a node. The request for the metrics is itself in flight. */
async function findBusyAt(world: World, node: Gateway): Promise<string[]> {
  const metrics = await readAdmin(world, node, '/metrics');
  const busy = metrics
    .split('\n')
    .filter((line) => IDLE.some((name) => line.startsWith(name)))
    .filter((line) => Number(line.split(' ').at(-1)) > (line.startsWith(IDLE[0]!) ? 1 : 0));
  const providers = JSON.parse(await readAdmin(world, node, '/admin/v1/providers')) as {
    data: { id: string; slots_in_use: number }[];
  };
  const slots = providers.data
    .filter(({ slots_in_use }) => slots_in_use !== 0)
    .map(({ id }) => `slots of ${id}`);
  const budgets = JSON.parse(await readAdmin(world, node, '/admin/v1/budgets')) as {
    data: { id: string; held_usd: number }[];
  };
  if (budgets.data.length < 2) world.simulation.fail('a budget is missing');
  const held = budgets.data.filter(({ held_usd }) => held_usd !== 0).map(({ id }) => `amounts held of ${id}`);
  return [...busy, ...slots, ...held];
}

/** Each of these looks for work that is under way. The cheapest is first. */
const looks: ((world: World) => Promise<string[]>)[] = [
  async ({ reader }) => ((await reader.countHolds()) > 0 ? ['open holds'] : []),
  async (world) => ((await haveBatchesEnded(world)) ? [] : ['batches']),
  async (world) => ((await haveJobsEnded(world)) ? [] : ['responses in the background']),
  async (world) => ((await haveMovementsEnded(world)) ? [] : ['movements of money']),
  async (world) => (await Promise.all(world.nodes.map((node) => findBusyAt(world, node)))).flat(),
];

/** Lists what the first successful look has found. The list is empty if all is idle. */
async function findBusy(world: World): Promise<string[]> {
  for (const look of looks) {
    const busy = await look(world);
    if (busy.length > 0) return busy;
  }
  return [];
}

/** Waits until nothing is under way. Work that does not end in time is a failure. */
export async function untilIdle(world: World): Promise<void> {
  const { simulation } = world;
  const until = simulation.now + END_MS;
  let busy = await findBusy(world);
  for (let waitMs = FIRST_PAUSE_MS; busy.length > 0 && simulation.now < until; ) {
    await simulation.sleep(waitMs, 'looks whether all is idle');
    busy = await findBusy(world);
    waitMs = Math.min(2 * waitMs, MAX_PAUSE_MS);
  }
  if (busy.length > 0) simulation.fail(`still under way after ${END_MS / 1_000} s: ${busy.join(', ')}`);
}

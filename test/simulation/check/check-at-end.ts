import { type ModelName, QUEUED, SLOTS } from '../gateway/configuration.ts';
import type { World } from '../world.ts';
import { checkAnswers } from './check-answers.ts';
import { checkAttempts } from './check-attempts.ts';
import { checkBackground } from './check-background.ts';
import { checkBatches } from './check-batches.ts';
import { checkChanges } from './check-changes.ts';
import { checkCharges } from './check-charges.ts';
import { checkConcurrency } from './check-concurrency.ts';
import { checkConversations } from './check-conversations.ts';
import { checkFigures } from './check-figures.ts';
import { checkLimits } from './check-limits.ts';
import { checkMovements } from './check-movements.ts';
import { checkNative } from './check-native.ts';
import { checkPauses } from './check-pauses.ts';
import { checkQueue } from './check-queue.ts';
import { checkReaders } from './check-readers.ts';
import { checkServed } from './check-served.ts';
import { checkStored } from './check-stored.ts';
import { readAdmin } from './read-admin.ts';
import { untilIdle } from './until-idle.ts';

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

/** Compares the ledger with itself, with the clients and with the vendors. */
async function checkLedger(world: World): Promise<void> {
  const { simulation, reader } = world;
  const { faults } = JSON.parse(await readAdmin(world, world.nodes[0]!, '/admin/v1/ledger/verify')) as {
    faults?: unknown[];
  };
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
  for (const node of world.nodes) await checkFigures(world, node);
}

/** Checks that every model is served. A slot that was lost would prevent it. */
async function checkService(world: World): Promise<void> {
  const slots = Object.values(SLOTS).reduce((sum, count) => sum + count, 0);
  const models: ModelName[] = ['alpha', 'beta', ...Array.from({ length: slots }, () => QUEUED).flat()];
  for (const model of models) await checkServed(world, 'unlimited', model);
}

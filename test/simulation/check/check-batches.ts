import { countUp } from '../../../src/base/lib/testing/count-up.ts';
import type { ClientBatch } from '../clients/client-batch.ts';
import type { Clients } from '../clients/clients.ts';
import type { AccountName } from '../gateway/accounts.ts';
import { BATCH_DEADLINE_S, NATIVE_PRICES, PRICES } from '../gateway/configuration.ts';
import type { Usage } from '../vendors/vendor-answer.ts';
import type { World } from '../world.ts';
import { isReported } from './check-tokens.ts';
import { costOf } from './cost-of.ts';
import type { Charge } from './ledger-reader.ts';

type Json = Record<string, unknown>;
type Message = {
  content: { text: string }[];
  usage: { input_tokens: number; cache_read_input_tokens?: number; output_tokens: number };
};
type Line = { custom_id: string; result: { type: string; message?: Message } };
type Results = { id: string; isLate: boolean; lines: Line[] };

const owners = ['unlimited', 'monthly', 'batched', 'itemized'] as const satisfies readonly AccountName[];

async function listBatches(
  clients: Clients,
  account: AccountName,
): Promise<{ id: string; status: string; isLate: boolean }[]> {
  const { received, status } = await clients.read(account, '/v1/messages/batches?limit=100');
  if (status !== 200) throw new Error(`the list of batches answered ${status}: ${received}`);
  const { data } = JSON.parse(received) as { data: Json[] };
  return data.map(({ id, processing_status, created_at, ended_at }) => ({
    id: String(id),
    status: String(processing_status),
    isLate: Date.parse(String(ended_at)) - Date.parse(String(created_at)) >= BATCH_DEADLINE_S * 1_000,
  }));
}

/** Reports whether all batches have ended. */
export async function haveBatchesEnded({ clients }: World): Promise<boolean> {
  if (clients.batches.length === 0) return true;
  const lists = await Promise.all(owners.map((account) => listBatches(clients, account)));
  return lists.flat().every(({ status }) => status === 'ended');
}

/**
 * Checks that every item has one result, and each item that succeeded one charge. Returns the ids of the
 * items' requests.
 */
export async function checkBatches(world: World): Promise<Set<string>> {
  const { clients, simulation } = world;
  const charged = new Set<string>();
  if (clients.batches.length === 0) return charged;
  const found = new Set<string>();
  const idOf = new Map<string, string>();
  for (const account of owners)
    for (const { id, isLate } of await listBatches(clients, account)) {
      found.add(id);
      const { received } = await clients.read(account, `/v1/messages/batches/${id}/results`);
      const lines = received
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Line);
      checkLines(world, { id, isLate, lines });
      const first = lines.map(({ custom_id }) => custom_id).sort()[0] ?? id;
      const other = idOf.get(first);
      if (other !== undefined) simulation.fail(`one creation made the batches ${other} and ${id}`);
      idOf.set(first, id);
      for (const requestId of await checkItemCharges(world, { id, isLate, lines })) charged.add(requestId);
    }
  for (const { id } of clients.batches)
    if (id !== undefined && !found.has(id)) simulation.fail(`the batch ${id} is lost`);
  return charged;
}

function checkLines(world: World, { id, isLate, lines }: Results): void {
  const { clients, simulation, watch, counts } = world;
  const names = lines.map(({ custom_id }) => custom_id).sort();
  const batch = clients.batches.find(({ markers }) => markers[0] === names[0]);
  if (!batch || names.join() !== [...batch.markers].sort().join())
    simulation.fail(`the results of ${id} are of ${names.join()} and not of ${batch?.markers.join()}`);
  for (const { custom_id, result } of lines) {
    countUp(counts, `item ${result.type}`);
    const sent = watch.requestsOf(custom_id);
    if (result.type === 'canceled' && !batch?.isCanceled && !sent.some((one) => one.outcome === 'canceled'))
      simulation.fail(`the item ${custom_id} is canceled, and nobody has asked for it`);
    if (result.type === 'expired' && !isLate && !sent.some((one) => one.outcome === 'expired'))
      simulation.fail(`the item ${custom_id} has expired before its deadline`);
    if (result.type !== 'succeeded' && !isLate && batch && hasAnswered(world, custom_id, batch))
      simulation.fail(`the item ${custom_id} was answered at its vendor, and is ${result.type}`);
    if (result.type !== 'succeeded') continue;
    const text = result.message?.content[0]?.text ?? '';
    if (!text.startsWith(`${custom_id} `)) simulation.fail(`the item ${custom_id} has the answer ${text}`);
    if (watch.callsOf(custom_id).length + sent.length === 0)
      simulation.fail(`the item ${custom_id} was never at a vendor`);
  }
}

/**
 * Reports whether the gateway must have the answer to an item from the only batch that had it, and has made
 * no normal call. Items of nodes on Postgres are not checked.
 */
function hasAnswered({ watch, database }: World, marker: string, { isCanceled }: ClientBatch): boolean {
  if (database || watch.callsOf(marker).length > 0) return false;
  const [batch, ...others] = watch.batchesWith(marker);
  if (!batch || others.length > 0) return false;
  // The answers of a canceled batch count too, since its vendor may charge them.
  const isKnown = isCanceled ? batch.isPolled : batch.isRead && batch.canceledAt === undefined;
  return isKnown && batch.requests.some((one) => one.marker === marker && one.outcome === 'answered');
}

/** Returns the ids under which the items were charged. */
async function checkItemCharges(world: World, { id, lines }: Results): Promise<string[]> {
  const { simulation, reader } = world;
  const items = (await reader.items()).filter(({ batchId }) => batchId === id);
  const charges = await reader.charges();
  for (const { custom_id, result } of lines) {
    const { requestId } = items.find(({ customId }) => customId === custom_id)!;
    const own = charges.filter((charge) => charge.requestId === requestId);
    const expected = result.type === 'succeeded' ? 1 : 0;
    if (own.length !== expected)
      simulation.fail(`the item ${custom_id} ${result.type} and has ${own.length} charges`);
    for (const charge of own) checkItemCharge(world, { custom_id, result }, charge);
  }
  return items.map(({ requestId }) => requestId);
}

/** Checks that an item is charged for its answer, at the price of the way that it took. */
function checkItemCharge(world: World, { custom_id, result }: Line, charge: Charge): void {
  const { simulation, watch } = world;
  const { input, cached, output, isEstimated, microcredits, model } = charge;
  const fail = (why: string) =>
    simulation.fail(`the item ${custom_id} was charged ${microcredits} for ${input}+${output} tokens ${why}`);
  const isSame = (usage: Usage | undefined) =>
    usage?.input === input && usage.cached === cached && usage.output === output;
  const isNative = watch.requestsOf(custom_id).some(({ usage }) => isSame(usage));
  const isCalled = isReported(world, custom_id, charge);
  if (!isEstimated && !isNative && !isCalled) fail('which no vendor reported');
  const shown = result.message?.usage;
  if (shown && !isSame(usageOf(shown))) fail('and shows others');
  const native = NATIVE_PRICES[model as keyof typeof NATIVE_PRICES];
  if (!native) return;
  const usual = PRICES[model as keyof typeof PRICES];
  const costs = [
    ...(isNative || isEstimated ? [native] : []),
    ...(isCalled || isEstimated ? [usual] : []),
  ].map((price) => costOf(price, charge));
  if (!costs.includes(microcredits)) fail(`and costs ${costs.join(' or ')}`);
}

const usageOf = ({
  input_tokens,
  cache_read_input_tokens: cached = 0,
  output_tokens,
}: Message['usage']): Usage => ({
  input: input_tokens + cached,
  cached,
  output: output_tokens,
});

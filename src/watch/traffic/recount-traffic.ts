import { MINUTE_MS } from '../../base/lib/units.ts';
import type { WrittenEntry } from '../../money/ledger/entry.ts';
import { readEntry } from '../../money/ledger/entry-text.ts';
import { listCostOf } from '../../money/ledger/list-cost-of.ts';
import type { CountedRequestStore, CountedRequests } from './counted-request-store.ts';
import { addLatency } from './latency-buckets.ts';
import { noCounts } from './traffic-figures.ts';
import type { TrafficCell } from './traffic-fold.ts';
import { TrafficRows } from './traffic-rows.ts';
import type { TrafficStore } from './traffic-store.ts';

/** Entries are written nearly in the order of their times. */
const DISORDER_MS = 60_000;
const ROWS_AT_A_TIME = 500;
/** No process uses this number, so that a second recount replaces the rows of the first. */
const RECOUNT_PART = 0;

/** The entry of a charged request. */
type ChargedEntry = WrittenEntry & { receipt: NonNullable<WrittenEntry['receipt']> };

type RecountStores = {
  traffic: Pick<TrafficStore, 'saveTraffic'>;
  countedRequests: CountedRequestStore;
};

/**
 * Counts the charged requests that processes had not counted when they ended without a stop. Their entries in
 * the ledger have everything but the source and some failed calls. `writing` lists the other processes.
 * Returns the number of requests.
 */
export async function recountTraffic(
  stores: RecountStores,
  writing: () => Promise<ReadonlySet<string>>,
): Promise<number> {
  const notesByNode = Map.groupBy(await stores.countedRequests.listCounted(), ({ node }) => node);
  const writingNodes = await writing();
  let count = 0;
  for (const [node, counted] of notesByNode)
    if (!writingNodes.has(node)) count += await recountNode(stores, node, counted);
  return count;
}

async function recountNode(
  { traffic, countedRequests }: RecountStores,
  node: string,
  counted: readonly CountedRequests[],
): Promise<number> {
  const countedIds = new Set(counted.flatMap(({ requestIds }) => requestIds));
  const missing = await missingEntries(countedRequests, { node, since: counted[0]!.at, known: countedIds });
  const rows = new TrafficRows(RECOUNT_PART);
  rows.add(missing.map((entry) => cellOf(entry, node)));
  for (let taken = rows.take(ROWS_AT_A_TIME); taken.length > 0; taken = rows.take(ROWS_AT_A_TIME))
    await traffic.saveTraffic(taken);
  await countedRequests.forgetCounted(node);
  return missing.length;
}

/** Requests that were settled before the first note may have been counted before it. */
async function missingEntries(
  store: CountedRequestStore,
  { node, since, known }: { node: string; since: number; known: ReadonlySet<string> },
): Promise<ChargedEntry[]> {
  const missing: ChargedEntry[] = [];
  let before: number | null = null;
  for (;;) {
    const entryPage = await store.entriesBefore(before, node);
    if (entryPage.length === 0) return missing;
    const entries = entryPage.map(readEntry).filter((entry) => entry !== undefined);
    for (const entry of entries)
      if (isCharged(entry) && endOf(entry) > since && !known.has(entry.receipt.requestId))
        missing.push(entry);
    if (entries.length > 0 && entries.every((entry) => endOf(entry) < since - DISORDER_MS)) return missing;
    before = entryPage.at(-1)!.number;
  }
}

const isCharged = (entry: WrittenEntry): entry is ChargedEntry => entry.receipt !== null;

const endOf = ({ at, receipt }: WrittenEntry): number => receipt?.endedAt ?? at;

function cellOf(entry: ChargedEntry, node: string): TrafficCell {
  const { accountId, at, microcredits, receipt } = entry;
  const { tokens, tried, attempts, servedModel, keyId, endpoint = '' } = receipt;
  const end = endOf(entry);
  const cell: TrafficCell = {
    minute: Math.floor(end / MINUTE_MS),
    place: {
      provider: tried.at(-1)?.provider ?? '',
      model: servedModel,
      account: accountId,
      key: keyId,
      status: '2xx',
      node,
      source: endpoint.includes('/batches') ? 'batch' : 'api',
    },
    counts: {
      ...noCounts(),
      requests: 1,
      attempts,
      failed_attempts: tried.filter(({ outcome }) => outcome !== 'answered').length,
      input_tokens: tokens.input,
      cached_input_tokens: tokens.cachedInput,
      output_tokens: tokens.output,
      revenue: microcredits,
      spend: listCostOf(entry, receipt),
    },
    latency: new Map(),
    firstToken: new Map(),
    requestIds: [receipt.requestId],
  };
  addLatency(cell.latency, end - at);
  return cell;
}

import { setTimeout as wait } from 'node:timers/promises';
import { backoffMs } from '../../base/jobs/backoff-ms.ts';
import type { Clock } from '../../base/lib/clock.ts';
import type { Provider } from '../../settings/hosts/providers.ts';
import { isItemOf } from './custom-id.ts';
import type { Submission } from './native-store.ts';
import type { ListedBatch, NativeBatch, NativeTransport } from './native-transport.ts';
import { complaintForLog, complaintIn } from './provider-complaint.ts';

export type SubmissionSearch = {
  submission: Pick<Submission, 'sentAt' | 'size'> & { mark: string };
  provider: Provider;
  transport: NativeTransport;
  /** True if the provider has handled the submission, so that one look at its list decides. */
  isSettled: boolean;
  /** Lists the provider's ids of other submissions. */
  listKnown(): Promise<readonly string[]>;
  clock: Pick<Clock, 'now'>;
  /** Ends the search. */
  signal: AbortSignal;
  onFailure(error: unknown): void;
};

const BACKOFF = { firstMs: 500, maxMs: 60_000 };
const SLOWER = 1.5;
/** A provider's batch can appear this much older than its submission, as clocks and roundings differ. */
const LEEWAY_MS = 60_000;

/**
 * Finds the batch of a submission that got no answer, and returns the provider's id. Returns undefined if the
 * provider has no such batch. A batch that cannot show the mark is recognized by its results once it has
 * ended. Rejects if the signal ends the search.
 */
export async function findUnanswered(search: SubmissionSearch): Promise<string | undefined> {
  let seen = await insist(search, () => look(search));
  if (seen.found === undefined && !search.isSettled) {
    const early = await compareEnded(search, seen.candidates);
    if (early.found !== undefined) return early.found;
    await wait(search.transport.settleMs, undefined, { signal: search.signal });
    seen = await insist(search, () => look(search));
  }
  return seen.found ?? (await compareAsTheyEnd(search, seen.candidates));
}

/** The id of the submission's batch, or the ids of the batches that it may be. */
type LookResult = { found?: string; candidates: readonly string[] };

/** Looks through the provider's list for the mark, and for batches that cannot show one. */
async function look(search: SubmissionSearch): Promise<LookResult> {
  const { provider, transport, submission } = search;
  const otherIds = new Set(await search.listKnown());
  const candidates: string[] = [];
  for await (const listed of transport.list(provider)) {
    if (listed.mark === submission.mark) return { found: listed.upstreamId, candidates: [] };
    if (isCandidate(search, listed) && !otherIds.has(listed.upstreamId)) candidates.push(listed.upstreamId);
  }
  return { candidates };
}

function isCandidate({ submission, clock }: SubmissionSearch, { mark, size, ageMs }: ListedBatch): boolean {
  if (mark !== undefined) return false;
  if (size !== undefined && size !== submission.size) return false;
  const longestMs = Math.max(0, clock.now() - submission.sentAt) + LEEWAY_MS;
  return ageMs === undefined || ageMs <= longestMs;
}

async function compareAsTheyEnd(
  search: SubmissionSearch,
  candidates: readonly string[],
): Promise<string | undefined> {
  let remaining = candidates;
  for (let looks = 0; ; looks++) {
    const { found, candidates: running } = await compareEnded(search, remaining);
    if (found !== undefined || running.length === 0) return found;
    remaining = running;
    await wait(backoffMs(looks, { ...BACKOFF, factor: SLOWER }), undefined, { signal: search.signal });
  }
}

/** Compares the candidates that have ended. The others stay candidates. */
async function compareEnded(search: SubmissionSearch, candidates: readonly string[]): Promise<LookResult> {
  const running: string[] = [];
  for (const upstreamId of candidates) {
    const verdict = await insist(search, () => inspect(search, { provider: search.provider, upstreamId }));
    if (verdict === 'ours') return { found: upstreamId, candidates: [] };
    if (verdict === 'running') running.push(upstreamId);
  }
  return { candidates: running };
}

async function inspect(
  { transport, submission }: SubmissionSearch,
  batch: NativeBatch,
): Promise<'ours' | 'running' | 'other'> {
  try {
    const state = await transport.poll(batch);
    if (state.kind === 'running') return 'running';
    for await (const { customId } of transport.results(batch, state.results))
      return isItemOf(submission.mark, customId) ? 'ours' : 'other';
    return 'other';
  } catch (error) {
    if (complaintIn(error)?.status === 404) return 'other'; // its owner has removed it
    throw error;
  }
}

/** Repeats a call until it succeeds. Only an answer of the provider shows that it has no such batch. */
async function insist<Value>(
  { signal, onFailure }: SubmissionSearch,
  call: () => Promise<Value>,
): Promise<Value> {
  for (let failures = 0; ; failures++) {
    signal.throwIfAborted();
    try {
      return await call();
    } catch (error) {
      onFailure(complaintForLog(error));
    }
    await wait(backoffMs(failures, BACKOFF), undefined, { signal });
  }
}

import type { Clock } from '../../base/lib/clock.ts';
import { type Sweep, Sweeper } from '../../base/lib/sweeper.ts';
import { HOUR_MS, msOf } from '../../base/lib/units.ts';
import type { AuditSweep } from '../../money/accounts/audit-sweep.ts';
import type { KeyUseStore } from '../../money/accounts/key-use-store.ts';
import { KeyUses } from '../../money/accounts/key-uses.ts';
import type { SnapshotSource } from '../../settings/snapshot/snapshot.ts';
import type { OverloadLevel } from '../../upstream/capacity/overload-level.ts';
import type { FaultRecorder } from '../../watch/faults/fault-recorder.ts';
import { failureReporter } from '../../watch/observability/failure-reporter.ts';
import type { Logger } from '../../watch/observability/logger.ts';
import { RequestKeeper } from '../../watch/observability/request-keeper.ts';
import { requestRecordMetrics } from '../../watch/observability/request-record-metrics.ts';
import { RefusalRecorder } from '../../watch/refusals/refusal-recorder.ts';
import { PayloadLogging } from '../../watch/requests/payload-logging.ts';
import type { PayloadStore } from '../../watch/requests/payload-store.ts';
import { RequestBook } from '../../watch/requests/request-book.ts';
import { RequestRecorder } from '../../watch/requests/request-recorder.ts';
import type { RequestStore } from '../../watch/requests/request-store.ts';
import { RequestTally } from '../../watch/requests/request-tally.ts';
import { DAILY_DAYS, HOURLY_DAYS, type UsageStore } from '../../watch/requests/usage-store.ts';
import { sweepSums } from '../../watch/sweep-sums.ts';
import { spendOf } from '../../watch/traffic/spend-of.ts';
import { TrafficRecorder } from '../../watch/traffic/traffic-recorder.ts';
import { TrafficReport } from '../../watch/traffic/traffic-report.ts';
import { LateCount } from './late-count.ts';
import type { Storage } from './storage.ts';

export type RequestsParts = {
  store: RequestStore & KeyUseStore & AuditSweep;
  usage: UsageStore;
  payloads: PayloadStore;
  sums: Pick<Storage, 'traffic' | 'countedRequests' | 'milestones' | 'refusals' | 'faults'>;
  faults: FaultRecorder;
  clock: Clock;
  logger: Logger;
  holder: SnapshotSource;
};

/** Assembles the parts that keep the records of requests. */
export function assembleRequests(
  { store, usage, payloads, sums, faults, clock, logger, holder }: RequestsParts,
  overload: { readonly level: OverloadLevel },
) {
  const logFailureOf = (event: string) => failureReporter({ logger, clock }, event, 'requests');
  const now = () => clock.now();
  const keptMs = () => msOf(holder.current.config.retention.requests_s);
  const recorder = new RequestRecorder({
    store,
    now,
    isOverloaded: () => overload.level !== 'none',
    onFailure: logFailureOf('requests-not-recorded'),
  });
  const onSumsFailure = logFailureOf('request-sums-not-written');
  const tally = new RequestTally({ store: usage, onFailure: onSumsFailure });
  const traffic = new TrafficRecorder({ stores: sums, now, spendOf, onFailure: onSumsFailure });
  const refusals = new RefusalRecorder({ store: sums.refusals, now, onFailure: onSumsFailure });
  const lateCount = new LateCount({ sums, logger, onFailure: onSumsFailure });
  const content = new PayloadLogging({
    store: payloads,
    now,
    config: () => holder.current.config.payloads,
    onFailure: logFailureOf('content-not-kept'),
  });
  const keyUses = new KeyUses({ store, onFailure: logFailureOf('key-uses-not-saved') });
  const sweepers = createSweepers(
    { store, usage, sums, holder, content, lateCount },
    (sweep) => new Sweeper(sweep, clock, logFailureOf('sweep-failed')),
  );
  return {
    book: new RequestBook({ store, now, keptMs }),
    content,
    keeper: new RequestKeeper({ recorder, tally, uses: keyUses, traffic, refusals, faults, now }),
    keyUses,
    traffic: new TrafficReport({ store: sums.traffic, now }),
    /** `nodeId` returns the id of this process among the nodes. */
    countAs(nodeId: () => string) {
      traffic.nodeId = nodeId;
      refusals.nodeId = nodeId;
    },
    /**
     * Counts what processes that crashed had not counted, now and each minute, and begins to count. `writing`
     * lists the processes that still write what they count.
     */
    async beginCounting(writing: () => Promise<ReadonlySet<string>>) {
      await lateCount.begin(writing);
      await traffic.begin();
    },
    metrics: requestRecordMetrics({
      dropped: () => recorder.dropped,
      lostSums: () => tally.lost + traffic.lost,
      droppedContents: () => content.dropped,
    }),
    close: async () => {
      for (const sweeper of sweepers) await sweeper.close();
      await content.close();
      await recorder.flush();
      await tally.flush();
      await traffic.end();
      await refusals.flush();
      await faults.close();
      await keyUses.flush();
    },
  };
}

type SweepParts = Pick<RequestsParts, 'store' | 'usage' | 'sums' | 'holder'> & {
  content: PayloadLogging;
  lateCount: LateCount;
};

/** Creates the sweepers of everything that requests leave in the store, in the order in which they close. */
function createSweepers(
  { store, usage, sums, holder, content, lateCount }: SweepParts,
  create: (sweep: Sweep) => Sweeper,
): Sweeper[] {
  const keptMs = () => msOf(holder.current.config.retention.requests_s);
  const auditKeptMs = () => msOf(holder.current.config.retention.audit_s);
  return [
    create(({ now, limit }) => store.sweepRequests({ endedBefore: now - keptMs(), limit, keptMs: keptMs() })),
    create(({ now, limit }) => store.sweepAudit({ recordedBefore: now - auditKeptMs(), limit })),
    create(({ now, limit }) => usage.sweepRequestSums({ ...keptSums(now), limit })),
    create(async ({ now }) => {
      await lateCount.run();
      await sweepSums(sums, now);
      return 0; // the sweeper does not call it again at once
    }),
    create(({ limit }) => content.sweep(limit)),
  ];
}

/** Returns the first hour and the first day whose sums are kept. */
const keptSums = (now: number) => ({
  hoursBefore: Math.floor(now / HOUR_MS) - 24 * HOURLY_DAYS,
  daysBefore: Math.floor(now / HOUR_MS / 24) - DAILY_DAYS,
});

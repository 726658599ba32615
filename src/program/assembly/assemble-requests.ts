import type { Logger } from '../../api/observability/logger.ts';
import { RequestKeeper } from '../../api/observability/request-keeper.ts';
import { requestRecordMetrics } from '../../api/observability/request-record-metrics.ts';
import { RequestBook } from '../../api/requests/request-book.ts';
import { RequestRecorder } from '../../api/requests/request-recorder.ts';
import type { RequestStore } from '../../api/requests/request-store.ts';
import type { Clock } from '../../base/lib/clock.ts';
import { Sweeper } from '../../base/lib/sweeper.ts';
import type { KeyUseStore } from '../../money/accounts/key-use-store.ts';
import { KeyUses } from '../../money/accounts/key-uses.ts';
import type { SnapshotHolder } from '../../settings/snapshot/snapshot-holder.ts';
import type { OverloadLevel } from '../../upstream/capacity/overload.ts';

export type RequestsParts = {
  store: RequestStore & KeyUseStore;
  clock: Clock;
  logger: Logger;
  holder: Pick<SnapshotHolder, 'current'>;
};

/** Assembles the parts that keep the records of requests. */
export function assembleRequests(
  { store, clock, logger, holder }: RequestsParts,
  overload: { readonly level: OverloadLevel },
) {
  const failed = (event: string) => (error: unknown) =>
    logger.error(event, { what: 'requests', error: String(error) });
  const now = () => clock.now();
  const keptMs = () => holder.current.config.retention.requests_s * 1_000;
  const recorder = new RequestRecorder({
    ...{ store, now },
    isOverloaded: () => overload.level !== 'none',
    failed: failed('requests-not-recorded'),
  });
  const keyUses = new KeyUses({ store, failed: failed('key-uses-not-saved') });
  const sweeper = new Sweeper(
    (options) => store.sweepRequests({ endedBefore: options.now - keptMs(), limit: options.limit }),
    clock,
    failed('sweep-failed'),
  );
  return {
    book: new RequestBook({ store, now, keptMs }),
    keeper: new RequestKeeper({ recorder, uses: keyUses, now }),
    keyUses,
    metrics: requestRecordMetrics(() => recorder.dropped),
    close: async () => {
      await sweeper.close();
      await recorder.flush();
      await keyUses.flush();
    },
  };
}

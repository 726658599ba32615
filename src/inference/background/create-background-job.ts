import type { Clock } from '../../base/lib/clock.ts';
import { msOf } from '../../base/lib/units.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import { STORED_ROW_BYTES } from '../../money/limits/stored-bytes.ts';
import { expiryAfter, storedExpiry } from '../conversation/stored-expiry.ts';
import type { BackgroundDialect } from '../request/background-starter.ts';
import { BackgroundJob } from './background-job.ts';
import type { BackgroundResponse, BackgroundStore } from './background-store.ts';

/** A stored response, and the exchange in which it is made. */
export type NewJob = {
  row: Pick<BackgroundResponse, 'id' | 'envelope'>;
  exchange: Exchange;
  controller: AbortController;
  dialect: BackgroundDialect;
};

/** Creates the job that makes a response. */
export function createBackgroundJob(
  { row, exchange, controller, dialect }: NewJob,
  { store, holder, clock }: { store: BackgroundStore; holder: string; clock: Clock },
): BackgroundJob {
  return new BackgroundJob({
    id: row.id,
    holder,
    queued: row.envelope,
    form: dialect.runsInBackground,
    exchange,
    controller,
    store,
    endOf: (status, envelope) => {
      const now = clock.now();
      const isKept = status === 'completed' || status === 'incomplete';
      // A finished response is stored like any other. Its frames are kept for a while.
      const lifetimeMs = msOf(exchange.snapshot.config.retention.streams_s);
      const expiry = isKept ? expiryAfter({ now, lifetimeMs }) : storedExpiry(exchange, now);
      return { status, envelope, stored: Buffer.byteLength(envelope) + STORED_ROW_BYTES, ...expiry };
    },
  });
}

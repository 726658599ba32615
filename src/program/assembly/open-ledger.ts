import type { PostingsParts } from '../../inference/settlement/postings.ts';
import type { Quarantine } from '../../money/ledger/ledger-care.ts';
import type { LedgerStore } from '../../money/ledger/ledger-store.ts';
import type { Logger } from '../../watch/observability/logger.ts';
import type { AssembledAlerts } from './assemble-alerts.ts';
import type { Storage } from './storage.ts';

type LedgerParts = {
  storage: Pick<Storage, 'ledger' | 'batches' | 'spool' | 'damagedSpoolLines'>;
  logger: Logger;
  alerts: Pick<AssembledAlerts, 'spending' | 'faults'>;
};

const VERIFY = 'see `tollgate ledger verify`';

/** Settles the requests that an earlier process left open, before the first request. */
export async function openLedger({
  storage,
  logger,
  alerts: { spending, faults },
}: LedgerParts): Promise<void> {
  const { ledger, batches, spool, damagedSpoolLines: damaged } = storage;
  if (damaged > 0) {
    logger.error('spool-damaged', { lines: damaged });
    faults.reportDamage('spool', damaged);
  }
  watchQuarantines(ledger, logger, faults);
  ledger.watchSpending(spending);
  // The spool comes first: a request with an exact settlement must not be billed by its last checkpoint.
  const settlements = [...spool.waiting];
  await ledger.replay(settlements.map(([, posting]) => posting));
  await spool.remove(settlements.map(([requestId]) => requestId));
  await batches.recoverBatches();
  const recovered = await ledger.recoverHolds();
  if (settlements.length > 0) logger.warn('spool-drained', { settlements: settlements.length });
  if (recovered.billed + recovered.voided > 0) logger.warn('holds-recovered', recovered);
  if (recovered.damaged) {
    logger.error('holds-damaged', { holds: recovered.damaged, hint: VERIFY });
    faults.reportDamage('holds', recovered.damaged);
  }
}

/** Reports each account with a damaged ledger. Other accounts are served. */
function watchQuarantines(ledger: LedgerStore, logger: Logger, faults: AssembledAlerts['faults']): void {
  const report = (quarantine: Quarantine) => {
    const { accountId, reason } = quarantine;
    const hint = `see \`tollgate ledger inspect ${accountId}\``;
    logger.error('account-quarantined', { account_id: accountId, reason, hint });
    faults.reportQuarantine(quarantine);
  };
  for (const quarantine of ledger.quarantined()) report(quarantine);
  ledger.onQuarantine(report);
}

/** Logs what happens to settlements outside the store. */
export const logSpool =
  (logger: Logger): PostingsParts['log'] =>
  (event, facts) =>
    event === 'spool-drained' ? logger.warn(event, facts) : logger.error(event, facts);

import type { Config } from '../../settings/config/config-schema.ts';
import type { PostgresLedgerCare } from '../../store/postgres/care/postgres-ledger-care.ts';
import { PostgresLedgerReads } from '../../store/postgres/care/postgres-ledger-reads.ts';
import type { Database } from '../../store/postgres/database.ts';
import { PostgresGate } from '../../store/postgres/gate/postgres-gate.ts';
import { PostgresLedger } from '../../store/postgres/ledger/postgres-ledger.ts';
import type { Membership } from '../../store/postgres/nodes/membership.ts';
import { responseParameter } from '../../store/postgres/responses/response-write.ts';

type LedgerParts = {
  database: Database;
  membership: Membership;
  care: PostgresLedgerCare;
  /** The node that this directory was of before. */
  previousNode: string | undefined;
};

/** Creates the ledger of this node, and the gate that admits requests to it. */
export function createPostgresLedger(
  { store }: Config,
  { database, membership, care, previousNode }: LedgerParts,
) {
  const identity = { id: () => membership.id, closed: () => membership.wasClosed() };
  const gate = new PostgresGate({
    database,
    identity,
    admitTimeoutMs: store.admit_timeout_ms,
    isQuarantined: (accountId) => care.quarantineOf(accountId) !== undefined,
  });
  const reads = new PostgresLedgerReads(database, care);
  const ledger = new PostgresLedger({
    database,
    gate,
    identity,
    previousNode,
    care,
    packResponse: responseParameter,
    reads,
    // A quarantine that cannot be written is tried again at the next read of the entry.
    quarantine: (accountId, reason) => void care.quarantines.add(accountId, reason).catch(() => {}),
    isArchived: (id) => reads.isArchived(id),
  });
  return { gate, ledger };
}

import type { HoldCheckpoint } from '../../../money/ledger/ledger-store.ts';
import type { Database } from '../database.ts';
import type { NodeIdentity } from '../gate/node-identity.ts';
import { PostgresHold } from '../gate/postgres-hold.ts';
import { checkpointRow, type OwnCheckpoint } from './checkpoint-row.ts';
import { retried } from './retried.ts';

/** Saves open holds in `open_hold`. Holds that have ended or that another node has are skipped. */
export async function saveCheckpoints(
  { database, identity }: { database: Database; identity: NodeIdentity },
  checkpoints: readonly HoldCheckpoint[],
): Promise<void> {
  const node = identity.id();
  const own = checkpoints.filter((checkpoint) => isOwn(checkpoint, node));
  if (own.length === 0) return;
  for (const { posting, away } of own) posting.hold.away ??= away;
  const rows = JSON.stringify(own.map(checkpointRow));
  const saving = retried(() =>
    database.first('SELECT checkpoint_holds($1, $2::text::jsonb) AS taken', [node, rows]),
  );
  const ended = saving.then(
    () => {},
    () => {},
  );
  for (const { posting } of own) Object.assign(posting.hold, { isKept: true, saving: ended });
  const row = await saving;
  if (row?.taken === false) identity.closed(node);
}

const isOwn = (checkpoint: HoldCheckpoint, node: string): checkpoint is HoldCheckpoint & OwnCheckpoint => {
  const { hold } = checkpoint.posting;
  return hold instanceof PostgresHold && hold.isOpen && hold.node === node;
};

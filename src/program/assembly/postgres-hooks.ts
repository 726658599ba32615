import type { PostgresLedgerCare } from '../../store/postgres/care/postgres-ledger-care.ts';
import type { Database } from '../../store/postgres/database.ts';
import type { PostgresGate } from '../../store/postgres/gate/postgres-gate.ts';
import type { Membership } from '../../store/postgres/nodes/membership.ts';
import { PostgresNodes } from '../../store/postgres/nodes/postgres-nodes.ts';
import { ShareKeeper } from '../../store/postgres/nodes/share-keeper.ts';
import { sweepChanges } from '../../store/postgres/sweep-changes.ts';
import type { Logger } from '../../watch/observability/logger.ts';
import type { NodeHooks } from './node-hooks.ts';

type HookParts = {
  database: Database;
  membership: Membership;
  care: PostgresLedgerCare;
  gate: PostgresGate;
  configHash: () => string;
  logger: Logger;
};

const SWEEP_EVERY_MS = 60_000;
const SWEPT_AT_A_TIME = 1_000;

function startSweeper(database: HookParts['database'], onFailure: (error: unknown) => void) {
  const sweeper = setInterval(
    () => void sweepChanges(database, SWEPT_AT_A_TIME).catch(onFailure),
    SWEEP_EVERY_MS,
  );
  sweeper.unref();
  return sweeper;
}

/** Connects a serving process to the other nodes of the database. */
export function postgresHooks({
  database,
  membership,
  care,
  gate,
  configHash,
  logger,
}: HookParts): NodeHooks {
  const { feed } = membership;
  let shares: ShareKeeper | undefined;
  const logFailureOf = (what: string) => (error: unknown) =>
    logger.warn('nodes-failed', { what, problem: String(error) });
  const listener = database.listen({
    channel: 'tollgate',
    onNotice: (payload) => feed.notice(payload),
    onListening: () => void membership.pulse(),
  });
  const sweeper = startSweeper(database, logFailureOf('sweep'));
  const announce = async (kind: string, subject: string): Promise<void> => {
    await database.all('SELECT announce($1, $2)', [kind, subject]);
  };
  let stopped: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    clearInterval(sweeper);
    listener.stop();
    await shares?.stop();
    await membership.stop();
  };
  return {
    directory: new PostgresNodes(database, { id: () => membership.id, configHash }),
    onChange: (kind, listener) => feed.on(kind, listener),
    onClosed: (listener) => membership.onClosed(listener),
    async start(node) {
      shares = new ShareKeeper({
        queries: database,
        node: () => membership.id,
        capacity: node.capacity,
        providers: () => node.providers(),
        onFailure: logFailureOf('shares'),
      });
      membership.serve(node.openRequests);
      membership.onClosed((id) => {
        node.abandon(id);
        shares?.renew();
      });
      feed.on('era', () => void gate.checkEra().catch(logFailureOf('era')));
      feed.on('quarantine', () => void care.refreshQuarantines().catch(logFailureOf('quarantines')));
      feed.on('share', (provider) => shares?.notice(provider));
      feed.on('clock', () => void membership.pulseAnew());
      feed.on('reload', (from) => {
        if (from !== membership.id) node.reload();
      });
      await gate.checkEra();
      await shares.start();
    },
    announce,
    announceReload: () => announce('reload', membership.id),
    follow: () => shares?.follow(),
    stop: () => (stopped ??= stop()),
  };
}

import { createHash } from 'node:crypto';
import { startOrStop } from '../../base/lib/start-or-stop.ts';
import type { Examination } from '../../console/admin/examination.ts';
import type { InstallationStore } from '../../customers/operators/installation-store.ts';
import { storedSecret } from '../../customers/people/stored-secret.ts';
import type { Config } from '../../settings/config/config-schema.ts';
import { configHash } from '../../settings/snapshot/config-hash.ts';
import type { ConfigOrigin } from '../../settings/snapshot/read-snapshot.ts';
import type { Snapshot } from '../../settings/snapshot/snapshot.ts';
import type { SnapshotHolder } from '../../settings/snapshot/snapshot-holder.ts';
import type { SchemaUpgrade } from '../../store/schema-upgrade.ts';
import type { CredentialRegistry } from '../../upstream/credentials/credential-registry.ts';
import { LiveBoard } from '../../watch/live/live-board.ts';
import type { Fleet } from '../../watch/observability/fleet.ts';
import type { Logger } from '../../watch/observability/logger.ts';
import type { WorkerAssignment } from '../workers/worker-assignment.ts';
import { assembleAlerts } from './assemble-alerts.ts';
import { assembleStorageBounds } from './assemble-storage-bounds.ts';
import type { PlacedDialect } from './create-dialects.ts';
import type { createWires } from './create-wires.ts';
import { openContentSeal } from './open-content-seal.ts';
import { openEmbeddedStorage } from './open-embedded-storage.ts';
import { openLedger } from './open-ledger.ts';
import { openSettings } from './open-settings.ts';
import { sealStorage } from './seal-storage.ts';
import type { Storage } from './storage.ts';

/** The inputs of the assembly: the source of the configuration and the parts that depend on it first. */
export type AssemblyInputs = {
  origin: ConfigOrigin;
  /** Returns the SHA-256 of the first admin token. */
  adminTokenHash: (config: Config, installation: InstallationStore | undefined) => Promise<string>;
  logger: (config: Config) => Logger;
  examine: Examine;
  /** The place of this process among several that share the port. Undefined if there is one process. */
  worker?: { assignment: WorkerAssignment; fleet: Fleet } | undefined;
};

/** Examines the server with the settings that it serves. The command line brings the checks. */
export type Examine = (
  server: { origin: ConfigOrigin; snapshot: Snapshot; storeProblem: () => Promise<string | undefined> },
  how: { isLive: boolean },
) => Promise<Examination>;

/** Creates the parts that all others depend on. */
export async function createFoundation(parts: {
  ground: AssemblyInputs;
  holder: SnapshotHolder;
  credentials: CredentialRegistry;
  dialects: PlacedDialect[];
  wires: ReturnType<typeof createWires>;
  stopSimulator: () => Promise<void>;
}) {
  const { config } = parts.holder.current;
  const logger = parts.ground.logger(config);
  const storage = await openStorage(parts, logger);
  const { clock } = storage;
  parts.credentials.now = () => clock.now();
  const live = new LiveBoard({
    now: () => clock.now(),
    onFailure: (error) => logger.warn('nodes-failed', { what: 'live', problem: String(error) }),
  });
  const alerts = await startOrStop(
    () =>
      assembleAlerts({
        store: storage.store,
        billing: storage.billing,
        clock,
        logger,
        holder: parts.holder,
        node: storage.processName,
        live,
      }),
    () => storage.close(),
  );
  return startOrStop(
    async () => {
      await openLedger({ storage, logger, alerts });
      const recapKey = await recapKeyOf(storage);
      const settings = await openSettings({ ...parts, storage, logger });
      const seal = await openContentSeal({
        store: storage.settings,
        ring: settings.ring,
        isOn: config.store.encrypt_content,
        now: () => clock.now(),
      });
      sealStorage(storage, seal);
      const reportLow = (facts: Record<string, unknown>) => alerts.faults.reportLowDisk(facts);
      const bounds = await assembleStorageBounds({ storage, logger, holder: parts.holder, reportLow });
      return { ...parts, config, clock, storage, alerts, live, bounds, settings, seal, logger, recapKey };
    },
    () => alerts.close().then(() => storage.close()),
  );
}

/** Returns the key that seals compactions. It is the same on all nodes, and outlives restarts. */
const recapKeyOf = async ({ people }: Storage): Promise<Uint8Array> =>
  createHash('sha256')
    .update(await storedSecret(people, 'recaps'))
    .digest();

/** Postgres is loaded only if it is configured. */
async function openStorage(
  { ground, holder }: { ground: AssemblyInputs; holder: SnapshotHolder },
  logger: Logger,
): Promise<Storage> {
  const { config } = holder.current;
  const { environment } = ground.origin;
  const reportMigrated = ({ from, to, durationMs }: SchemaUpgrade) =>
    logger.info('migrated', { from, to, duration_ms: durationMs });
  const { database_url: databaseUrl } = config.store;
  if (databaseUrl === null) return openEmbeddedStorage(config, environment, reportMigrated);
  const { openPostgresStorage } = await import('./open-postgres-storage.ts');
  return openPostgresStorage({
    config,
    databaseUrl,
    environment,
    logger,
    reportMigrated,
    assignment: ground.worker?.assignment,
    configHash: () => configHash(holder.current.config),
  });
}

export type Foundation = Awaited<ReturnType<typeof createFoundation>>;

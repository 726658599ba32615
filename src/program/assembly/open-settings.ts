import { finishRotation } from '../../console/settings/secret-rotation.ts';
import { SettingsBook } from '../../console/settings/settings-book.ts';
import type { ConfigOrigin } from '../../settings/snapshot/read-snapshot.ts';
import type { SnapshotHolder } from '../../settings/snapshot/snapshot-holder.ts';
import { causeOfUnusable, unusableRemedies } from '../../upstream/calling/unusable-cause.ts';
import type { Logger } from '../../watch/observability/logger.ts';
import { SECRET_KEY_VARIABLE } from './key-variable.ts';
import { openKeyRing } from './open-key-ring.ts';
import type { Storage } from './storage.ts';

/** Probes need no key, so the text names no provider. */
const LACKS_KEY = `A stored credential needs a key that is not in ${SECRET_KEY_VARIABLE} of this node.`;

type SettingsParts = {
  ground: { origin: ConfigOrigin };
  holder: SnapshotHolder;
  storage: Storage;
  logger: Logger;
};

/** Reads the stored settings and serves them. */
export async function openSettings({ ground, holder, storage, logger }: SettingsParts) {
  const { environment } = ground.origin;
  const { settings: store, clock } = storage;
  const isEmbedded = storage.kind === 'embedded';
  const ring = await openKeyRing({
    environment,
    directory: isEmbedded ? holder.current.config.store.data_dir : null,
    hasSecrets: async () => (await store.listSettings()).some(({ secrets }) => secrets !== null),
  });
  if (ring.isInterrupted) await finishRotation(store, ring);
  const report = (problems: readonly string[]) => logger.error('stored-settings-refused', { problems });
  const book = new SettingsBook({ store, ring, holder, environment, now: () => clock.now(), report });
  await book.load();
  for (const { id, stored } of book.current.providers.values())
    if (stored?.unusable)
      logger.error('stored-provider-unusable', {
        provider: id,
        problem: stored.unusable.reason,
        remedy: unusableRemedies[causeOfUnusable(stored.unusable.kind)],
      });
  for (const { id, message } of book.problems)
    logger.warn('stored-model-problem', { model: id, problem: message });
  return {
    ring,
    book,
    /** The reason why stored credentials cannot be read here. Only several nodes can do without this one. */
    problem: () => (isEmbedded || !book.lacksKey ? undefined : LACKS_KEY),
  };
}

import type { Snapshot } from '../../settings/snapshot/snapshot.ts';

/** Returns the models that a provider served in a snapshot, and that no provider serves in the next one. */
export const lostModels = (providerId: string, former: Snapshot, next: Snapshot): string[] =>
  former.catalog.entries
    .filter(({ targets }) => targets.some(({ provider }) => provider.id === providerId))
    .map(({ model }) => model.id)
    .filter((id) => {
      const targets = next.catalog.find(id)?.targets ?? [];
      return !targets.some(({ provider }) => provider.mode === 'live');
    });

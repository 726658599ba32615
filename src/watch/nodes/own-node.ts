import { hostname } from 'node:os';
import { version, versionDate } from '../../base/build/version.ts';
import type { Clock } from '../../base/lib/clock.ts';
import { newId } from '../../base/lib/ids.ts';
import type { NodeDirectory } from './node-record.ts';

export type OwnNodeParts = { clock: Clock; configHash: () => string; openRequests: () => number };

/** The only node of an installation with the embedded store: this process. */
export function ownNode({ clock, configHash, openRequests }: OwnNodeParts): NodeDirectory {
  const id = newId('node_');
  const startedAt = clock.now();
  return {
    configHash,
    ownId: () => id,
    list: async () => [
      {
        id,
        startedAt,
        heartbeatAt: clock.now(),
        version,
        commitDate: versionDate || null,
        configHash: configHash(),
        host: hostname(),
        worker: null,
        openRequests: openRequests(),
        shares: {},
        closedAt: null,
      },
    ],
  };
}

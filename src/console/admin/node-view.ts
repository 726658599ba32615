import { isoTime, isoTimeOrNull } from '../../base/lib/iso-time.ts';
import { orNull } from '../../base/schema/or-null.ts';
import { time } from '../../base/schema/time-schema.ts';
import { Type } from '../../base/schema/type.ts';
import type { NodeRecord } from '../../watch/nodes/node-record.ts';
import type { ViewOf } from '../routes/typed-route.ts';

/** A process of the installation. */
export const node = Type.Object(
  {
    id: Type.String(),
    version: Type.String({ description: 'The version of the program.' }),
    commit_date: orNull(
      Type.String(),
      'The day on which the commit of the program was made. `null` means that it is unknown.',
    ),
    config_hash: Type.String({ description: 'A hash of the configuration, without ports and directories.' }),
    config_differs: Type.Boolean({ description: 'The configuration is not that of the node that answers.' }),
    heartbeat: time,
    open_requests: Type.Integer(),
    shares: Type.Unsafe<Readonly<Record<string, number>>>(
      Type.Object({}, { description: 'The slots that the node may use, by provider with a limit.' }),
    ),
    closed: orNull(time, 'The time at which another node closed it. `null` means that the node serves.'),
    started_at: time,
    host: Type.String(),
    worker: orNull(
      Type.Integer(),
      'The number of the worker. `null` means that the process serves alone on its port.',
    ),
  },
  { title: 'Node' },
);

/** Shows a node. `ownHash` is the hash of the configuration of the node that answers. */
export const nodeView = (record: NodeRecord, ownHash: string): ViewOf<typeof node> => ({
  id: record.id,
  version: record.version,
  commit_date: record.commitDate,
  config_hash: record.configHash,
  config_differs: record.closedAt === null && record.configHash !== ownHash,
  heartbeat: isoTime(record.heartbeatAt),
  open_requests: record.openRequests,
  shares: record.shares,
  closed: isoTimeOrNull(record.closedAt),
  started_at: isoTime(record.startedAt),
  host: record.host,
  worker: record.worker,
});

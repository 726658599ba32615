import { HOUR_MS } from '../../../base/lib/units.ts';
import type { NodeDirectory, NodeRecord } from '../../../watch/nodes/node-record.ts';
import { json, nullableNumber, nullableText, number, text } from '../../row-columns.ts';
import type { PostgresRow } from '../database.ts';
import type { Queries } from '../queries.ts';

/** A closed node is listed for this time. */
const LISTED_MS = HOUR_MS;

const selectNodesSql = `
  SELECT node.*, coalesce(
    (SELECT jsonb_object_agg(provider, granted) FROM provider_share WHERE provider_share.node = node.id), '{}'
  )::text AS shares
  FROM node WHERE closed_at IS NULL OR closed_at > now_ms() - ${LISTED_MS} ORDER BY started_at, id`;

/** Reads the list of nodes. */
export class PostgresNodes implements NodeDirectory {
  readonly #queries: Queries;
  readonly configHash: () => string;
  readonly ownId: () => string;

  constructor(queries: Queries, own: { id: () => string; configHash: () => string }) {
    this.#queries = queries;
    this.ownId = own.id;
    this.configHash = own.configHash;
  }

  async list(): Promise<NodeRecord[]> {
    return (await this.#queries.all(selectNodesSql)).map(recordOf);
  }
}

const recordOf = (row: PostgresRow): NodeRecord => ({
  id: text(row, 'id'),
  startedAt: number(row, 'started_at'),
  heartbeatAt: number(row, 'heartbeat'),
  version: text(row, 'version'),
  commitDate: nullableText(row, 'commit_date'),
  configHash: text(row, 'config_hash'),
  host: text(row, 'host'),
  worker: nullableNumber(row, 'worker'),
  openRequests: number(row, 'open_requests'),
  shares: json(row, 'shares'),
  closedAt: nullableNumber(row, 'closed_at'),
});

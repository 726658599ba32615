import type { PostgresMigration } from '../migration.ts';

/**
 * `node` has the running nodes, and those that were closed within the last hour. A node writes its heartbeat and reads the changes of the
 * other nodes with one call. `seen` overlaps, since changes can commit in another order than that of their ids. `advance_clock` moves the
 * test clock, and with it the heartbeats and leases of running nodes, so that no node has fallen silent.
 */
export const nodes: PostgresMigration = {
  number: 20,
  name: 'nodes',
  sql: `
    CREATE TABLE node (
      id text PRIMARY KEY,
      started_at bigint NOT NULL,
      heartbeat bigint NOT NULL,
      version text NOT NULL DEFAULT '',
      config_hash text NOT NULL DEFAULT '',
      host text NOT NULL DEFAULT '',
      worker integer,
      open_requests integer NOT NULL DEFAULT 0,
      closed_at bigint
    ) WITH (fillfactor = 50)
    --;
    CREATE TABLE provider_drain (
      provider text PRIMARY KEY,
      at bigint NOT NULL
    )
    --;
    CREATE FUNCTION register_node(
      new_id text, new_version text, new_config_hash text, new_host text, new_worker integer
    ) RETURNS bigint LANGUAGE plpgsql AS $$
    DECLARE
      at bigint := now_ms();
    BEGIN
      INSERT INTO node (id, started_at, heartbeat, version, config_hash, host, worker)
      VALUES (new_id, at, at, new_version, new_config_hash, new_host, new_worker);
      RETURN at;
    END
    $$
    --;
    CREATE FUNCTION pulse(own_id text, own_config_hash text, own_requests integer, overlap_ms bigint) RETURNS jsonb
    LANGUAGE plpgsql AS $$
    DECLARE
      moment bigint := now_ms();
      is_open boolean;
    BEGIN
      UPDATE node SET heartbeat = greatest(heartbeat, moment), config_hash = own_config_hash, open_requests = own_requests
      WHERE id = own_id AND closed_at IS NULL;
      is_open := FOUND;
      RETURN jsonb_build_object(
        'now', moment,
        'ahead', (SELECT clock_ahead_ms FROM installation),
        'open', is_open,
        'silent', (SELECT coalesce(jsonb_agg(id), '[]') FROM node WHERE closed_at IS NULL AND heartbeat < moment - 10000),
        'changes', (
          SELECT coalesce(jsonb_agg(jsonb_build_array(change.id, change.kind, change.subject) ORDER BY change.id), '[]')
          FROM change WHERE change.at >= moment - overlap_ms
        )
      );
    END
    $$
    --;
    CREATE FUNCTION advance_clock(by_ms bigint, by_node text) RETURNS void LANGUAGE plpgsql AS $$
    BEGIN
      UPDATE change SET at = at + by_ms WHERE at >= now_ms() - 60000;
      UPDATE installation SET clock_ahead_ms = clock_ahead_ms + by_ms;
      UPDATE node SET heartbeat = heartbeat + by_ms WHERE closed_at IS NULL;
      UPDATE batch_item SET due_at = due_at + by_ms WHERE state = 'running' AND node IS NOT NULL AND submission IS NULL;
      PERFORM announce('clock', by_node);
    END
    $$
  `,
};

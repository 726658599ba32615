import type { PostgresMigration } from '../migration.ts';

/**
 * `installation` has one row. `change` tells the other nodes of a change; a notice can be lost, so nodes also read this table.
 */
export const installation: PostgresMigration = {
  number: 1,
  name: 'installation',
  sql: `
    CREATE TABLE installation (
      id integer PRIMARY KEY CHECK (id = 1),
      clock_ahead_ms bigint NOT NULL DEFAULT 0,
      admin_token_hash text,
      first_account_id text
    )
    --;
    INSERT INTO installation (id) VALUES (1)
    --;
    CREATE FUNCTION now_ms() RETURNS bigint LANGUAGE sql VOLATILE AS $$
      SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint + clock_ahead_ms FROM installation
    $$
    --;
    CREATE TABLE change (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      at bigint NOT NULL,
      kind text NOT NULL,
      subject text NOT NULL
    )
    --;
    CREATE INDEX change_by_time ON change (at)
    --;
    CREATE FUNCTION announce(kind text, subject text) RETURNS void LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO change (at, kind, subject) VALUES (now_ms(), announce.kind, announce.subject);
      PERFORM pg_notify('tollgate', announce.kind || ':' || announce.subject);
    END
    $$
  `,
};

import type { PostgresMigration } from '../migration.ts';

/**
 * Alerts of an organization and alerts of the gateway do not replace each other. `owner` is the organization's account, or '' for the
 * gateway. `due_at` is the time at which a delivery was first due; the limit per hour follows from it. Nodes of the version before call
 * `add_alert`, which stays for them.
 */
export const alertRings: PostgresMigration = {
  number: 39,
  name: 'alert-rings',
  sql: `
    ALTER TABLE alert ADD COLUMN owner text NOT NULL DEFAULT ''
    --;
    ALTER TABLE alert_delivery ADD COLUMN is_organization integer NOT NULL DEFAULT 0,
      ADD COLUMN due_at bigint NOT NULL DEFAULT 0
    --;
    CREATE INDEX alert_by_owner ON alert (owner, sequence)
    --;
    CREATE INDEX alert_delivery_by_webhook ON alert_delivery (webhook, is_organization, due_at)
    --;
    CREATE FUNCTION ring_alert(alert jsonb, body text, occasion text, until bigint, holder text, hold_ms bigint, bounds jsonb)
    RETURNS jsonb LANGUAGE plpgsql AS $$
    DECLARE
      of_organization integer := (alert ->> 'owner' <> '')::integer;
      crowded jsonb;
      removed jsonb;
    BEGIN
      PERFORM pg_advisory_xact_lock(hashtextextended('ring_alert', 0));
      IF occasion IS NOT NULL AND NOT tell_occasion(occasion, until, (alert ->> 'at')::bigint) THEN
        RETURN '{"isNew": false, "deliveries": [], "removed": []}';
      END IF;
      INSERT INTO alert (id, at, event, body, owner)
      VALUES (alert ->> 'id', (alert ->> 'at')::bigint, alert ->> 'event', ring_alert.body, alert ->> 'owner');
      INSERT INTO alert_delivery (
        alert_id, webhook, host, state, attempts, next_at, ended_at, status, error, held_by, held_until,
        is_organization, due_at
      )
      SELECT given."alertId", given.webhook, given.host, given.state, given.attempts, due.at, given."endedAt",
        given.status, given.error, holder, now_ms() + hold_ms, of_organization, due.at
      FROM jsonb_to_recordset(alert -> 'deliveries') AS given (
        "alertId" text, webhook text, host text, state text, attempts integer, "nextAt" bigint, "endedAt" bigint,
        status integer, error text
      ), LATERAL (
        SELECT greatest(given."nextAt", (
          SELECT due_at + (bounds ->> 'rateMs')::bigint FROM alert_delivery
          WHERE webhook = given.webhook AND is_organization = of_organization
          ORDER BY due_at DESC OFFSET (bounds ->> 'rate')::integer - 1 LIMIT 1
        )) AS at
      ) AS due;
      WITH beyond AS (
        SELECT late.alert_id, late.webhook
        FROM jsonb_to_recordset(alert -> 'deliveries') AS given (webhook text), LATERAL (
          SELECT alert_id, webhook FROM alert_delivery
          WHERE webhook = given.webhook AND is_organization = of_organization AND state = 'waiting'
          ORDER BY due_at DESC, alert_id = alert ->> 'id' DESC OFFSET (bounds ->> 'waiting')::integer
        ) AS late
      ), ended AS (
        UPDATE alert_delivery AS delivery
        SET state = 'dropped', ended_at = (alert ->> 'at')::bigint, error = bounds ->> 'error'
        FROM beyond WHERE delivery.alert_id = beyond.alert_id AND delivery.webhook = beyond.webhook
        RETURNING delivery.*
      )
      SELECT jsonb_agg(to_jsonb(ended)) INTO crowded FROM ended;
      WITH beyond AS (
        SELECT id, sequence FROM alert AS old WHERE old.owner = alert ->> 'owner'
        ORDER BY sequence DESC OFFSET (bounds ->> 'alerts')::integer
      ), waiting AS (
        SELECT alert_delivery.*, beyond.sequence FROM alert_delivery JOIN beyond ON beyond.id = alert_id
        WHERE state = 'waiting'
      ), deleted AS (
        DELETE FROM alert WHERE id IN (SELECT id FROM beyond)
      )
      SELECT jsonb_agg(to_jsonb(waiting) ORDER BY sequence DESC, webhook) INTO removed FROM waiting;
      RETURN jsonb_build_object(
        'isNew', true,
        'deliveries', (
          SELECT coalesce(jsonb_agg(to_jsonb(added) ORDER BY webhook), '[]') FROM alert_delivery AS added
          WHERE alert_id = alert ->> 'id'
        ),
        'removed', coalesce(crowded, '[]') || coalesce(removed, '[]')
      );
    END
    $$
  `,
};

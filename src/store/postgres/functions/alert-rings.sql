-- Adds an alert with its deliveries, and removes the oldest alerts of the owner. `removed` in the result has
-- the deliveries that ended without an attempt: those beyond the queue, and those of removed alerts.
CREATE OR REPLACE FUNCTION ring_alert(
  alert jsonb, body text, occasion text, until bigint, holder text, hold_ms bigint, bounds jsonb
) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  is_for_organization integer := (alert ->> 'owner' <> '')::integer;
  dropped jsonb;
  orphaned jsonb;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('ring_alert', 0));
  IF occasion IS NOT NULL AND NOT keep_occasion(occasion, until, (alert ->> 'at')::bigint) THEN
    RETURN '{"isNew": false, "deliveries": [], "removed": []}';
  END IF;
  INSERT INTO alert (id, at, event, body, owner)
  VALUES (alert ->> 'id', (alert ->> 'at')::bigint, alert ->> 'event', ring_alert.body, alert ->> 'owner');
  -- Each delivery is delayed to the rate of its webhook.
  INSERT INTO alert_delivery (
    alert_id, webhook, host, state, attempts, next_at, ended_at, status, error, held_by, held_until,
    is_organization, due_at
  )
  SELECT given."alertId", given.webhook, given.host, given.state, given.attempts, due.at, given."endedAt",
    given.status, given.error, holder, now_ms() + hold_ms, is_for_organization, due.at
  FROM jsonb_to_recordset(alert -> 'deliveries') AS given (
    "alertId" text, webhook text, host text, state text, attempts integer, "nextAt" bigint, "endedAt" bigint,
    status integer, error text
  ), LATERAL (
    SELECT greatest(given."nextAt", (
      SELECT due_at + (bounds ->> 'rateMs')::bigint FROM alert_delivery
      WHERE webhook = given.webhook AND is_organization = is_for_organization
      ORDER BY due_at DESC OFFSET (bounds ->> 'rate')::integer - 1 LIMIT 1
    )) AS at
  ) AS due;
  -- Waiting deliveries beyond the queue of their webhook are dropped, the latest first.
  WITH beyond_queue AS (
    SELECT late.alert_id, late.webhook
    FROM jsonb_to_recordset(alert -> 'deliveries') AS given (webhook text), LATERAL (
      SELECT alert_id, webhook FROM alert_delivery
      WHERE webhook = given.webhook AND is_organization = is_for_organization AND state = 'waiting'
      ORDER BY due_at DESC, alert_id = alert ->> 'id' DESC OFFSET (bounds ->> 'waiting')::integer
    ) AS late
  ), ended AS (
    UPDATE alert_delivery AS delivery
    SET state = 'dropped', ended_at = (alert ->> 'at')::bigint, error = bounds ->> 'error'
    FROM beyond_queue WHERE delivery.alert_id = beyond_queue.alert_id
      AND delivery.webhook = beyond_queue.webhook
    RETURNING delivery.*
  )
  SELECT jsonb_agg(to_jsonb(ended)) INTO dropped FROM ended;
  -- Alerts beyond the ring of their owner are deleted with their deliveries.
  WITH beyond_ring AS (
    SELECT id, sequence FROM alert AS old WHERE old.owner = alert ->> 'owner'
    ORDER BY sequence DESC OFFSET (bounds ->> 'alerts')::integer
  ), waiting AS (
    SELECT alert_delivery.*, beyond_ring.sequence FROM alert_delivery
      JOIN beyond_ring ON beyond_ring.id = alert_id
    WHERE state = 'waiting'
  ), deleted AS (
    DELETE FROM alert WHERE id IN (SELECT id FROM beyond_ring)
  )
  SELECT jsonb_agg(to_jsonb(waiting) ORDER BY sequence DESC, webhook) INTO orphaned FROM waiting;
  RETURN jsonb_build_object(
    'isNew', true,
    'deliveries', (
      SELECT coalesce(jsonb_agg(to_jsonb(added) ORDER BY webhook), '[]') FROM alert_delivery AS added
      WHERE alert_id = alert ->> 'id'
    ),
    'removed', coalesce(dropped, '[]') || coalesce(orphaned, '[]')
  );
END
$$;

-- Reports whether an occasion is new, and keeps it until a time.
CREATE OR REPLACE FUNCTION keep_occasion(occasion text, until bigint, at bigint)
RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  kept integer;
BEGIN
  INSERT INTO alert_occasion AS known (name, until) VALUES (occasion, keep_occasion.until)
  ON CONFLICT (name) DO UPDATE SET until = excluded.until WHERE known.until <= at;
  GET DIAGNOSTICS kept = ROW_COUNT;
  DELETE FROM alert_occasion WHERE name IN (
    SELECT known.name FROM alert_occasion AS known WHERE known.until <= at LIMIT 100 FOR UPDATE SKIP LOCKED
  );
  RETURN kept = 1;
END
$$;

-- Adds an alert for nodes that do not know the rings of alerts.
CREATE OR REPLACE FUNCTION add_alert(alert jsonb, body text, occasion text, until bigint,
  most integer, holder text, hold_ms bigint)
RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  removed jsonb;
BEGIN
  IF occasion IS NOT NULL AND NOT keep_occasion(occasion, until, (alert ->> 'at')::bigint) THEN
    RETURN '{"isNew": false, "removed": []}';
  END IF;
  INSERT INTO alert (id, at, event, body)
  VALUES (alert ->> 'id', (alert ->> 'at')::bigint, alert ->> 'event', add_alert.body);
  INSERT INTO alert_delivery (
    alert_id, webhook, host, state, attempts, next_at, ended_at, status, error, held_by, held_until
  )
  SELECT given."alertId", given.webhook, given.host, given.state, given.attempts, given."nextAt",
    given."endedAt", given.status, given.error, holder, now_ms() + hold_ms
  FROM jsonb_to_recordset(alert -> 'deliveries') AS given (
    "alertId" text, webhook text, host text, state text, attempts integer, "nextAt" bigint, "endedAt" bigint,
    status integer, error text
  );
  WITH beyond AS (
    SELECT id, sequence FROM alert ORDER BY sequence DESC OFFSET most
  ), free AS (
    SELECT alert.id, alert.sequence FROM alert WHERE alert.id IN (SELECT id FROM beyond)
      FOR UPDATE SKIP LOCKED
  ), waiting AS (
    SELECT alert_delivery.*, free.sequence FROM alert_delivery JOIN free ON free.id = alert_id
    WHERE state = 'waiting'
  ), deleted AS (
    DELETE FROM alert WHERE id IN (SELECT id FROM free)
  )
  SELECT jsonb_agg(to_jsonb(waiting) ORDER BY sequence DESC, webhook) INTO removed FROM waiting;
  RETURN jsonb_build_object('isNew', true, 'removed', coalesce(removed, '[]'));
END
$$;

-- Takes the waiting deliveries that this process holds, or that no process holds.
CREATE OR REPLACE FUNCTION take_deliveries(holder text, hold_ms bigint)
RETURNS SETOF alert_delivery LANGUAGE sql AS $$
  UPDATE alert_delivery SET held_by = holder, held_until = now_ms() + hold_ms
  WHERE (alert_id, webhook) IN (
    SELECT alert_id, webhook FROM alert_delivery
    WHERE state = 'waiting' AND (held_by = holder OR held_until <= now_ms()) FOR UPDATE SKIP LOCKED
  )
  RETURNING *
$$;

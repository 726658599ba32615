-- `record_audit` and `sweep_requests` get numbers of their own for their locks, which they shared with `roll_up_usage`
-- and with the archive. The lock waits for the changes under way, so that their entries of the audit log become visible
-- before any that the new function writes. `keep_occasion` takes the place of `tell_occasion`.

SELECT pg_advisory_xact_lock(7465823642);
DROP FUNCTION IF EXISTS tell_occasion(text, bigint, bigint);

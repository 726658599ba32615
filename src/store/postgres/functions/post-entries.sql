-- Charges many requests in one call, in their order. Each chain, balance and key's month is loaded once and
-- written back once. The charge follows `AccountBook.charge`. The node sends the text of an entry in pieces,
-- and the database adds the sequence number, the charge and the hash.
--
-- The answer has a list for each posting: `[status, amount, amount that counts for the key, bound, granted,
-- used, used of the key's month]`, then the amounts of its budgets if the account has budgets.
--
-- A posting has the members of the type `posting_piece`, which `posting-piece.ts` writes:
--   id    the entry; rq the request; ac the account; at the time of the request
--   pd    the balance that pays; pu true if it is purchased credit
--   ky    the key; mo its calendar month; cp its cap
--   ct    the list cost; mc the most that may be charged
--   tk    the tokens; dn the day that they count in
--   t1    the text before the sequence number; t2 from there to the charge; t3 from there to the bound; fl
--         after the bound
--   ri    the renewal that opens the cycle; r2 its text after the sequence number; re true if the cycle ends
--   kept  true if the hold can have a row; est true if the posting is an estimate
--   lb    the labels for budgets; jb the result of a batch item; rs the response to store
--
-- A request of an account in debt can still spend its hold, and the rest of the hold pays the debt. The holds
-- of a call therefore count until their posting is decided.
--
-- The steps are in one function for the reason that `gate.sql` names.
CREATE OR REPLACE FUNCTION post_entries(p_node text, p_postings json) RETURNS text LANGUAGE plpgsql
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off
SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_variable
DECLARE
  most_safe constant bigint := 9007199254740991;
  pieces posting_piece[];
  p posting_piece;
  r record;
  ids text[];             -- the ids of the entries
  kept text[];            -- the requests whose holds can have a row
  has_budgets boolean;    -- one of the accounts has budgets
  budgeted jsonb;         -- the budgets of a posting
  is_alone boolean;       -- one account, one balance and one month
  account text;
  -- The chains, in the order of the accounts' ids.
  accounts text[];
  sequences bigint[];
  numbers bigint[];
  hashes text[];
  -- The balances.
  bucket_names text[];
  bucket_accounts text[];
  bucket_periods text[];
  granted bigint[];
  used bigint[];
  held bigint[];
  known boolean[];        -- the balance has a row
  owing boolean[];        -- the balance is in debt
  -- The keys' months.
  month_names text[];
  month_keys text[];
  months text[];
  month_accounts text[];
  key_used bigint[];
  key_held bigint[];
  -- The latest day of each account in this call.
  days bigint[];
  day_tokens bigint[];
  -- The entries that exist already, and the new ones.
  old_ids text[];
  old_texts text[];
  new_ids text[];
  new_accounts text[];
  new_sequences bigint[];
  new_numbers bigint[];
  new_at bigint[];
  new_texts text[];
  new_hashes text[];
  posted_at bigint;
  responses integer[];    -- the postings with a response to store
  -- The holds of purchased credit that end with this call.
  own bigint;
  own_ids text[];
  own_buckets text[];
  own_amounts bigint[];
  -- The holds of keys with caps that end with this call.
  own_capped bigint;
  capped_ids text[];
  capped_months text[];
  capped_amounts bigint[];
  -- The decision on one posting.
  answers text[];
  -- posted, adjusted (the difference to an estimate), exists, or skipped (another attempt has won)
  status text;
  bound text;             -- what keeps the charge below its cost
  cost bigint;
  capped bigint;          -- the cost within the key's cap
  room bigint;            -- the cost within the purchased credit
  amount bigint;          -- the charge
  counted bigint;         -- the part of the charge that counts for the key's month
  entry_id text;
  line text;              -- the text of an entry
  -- Indexes of the posting's chain, balance, month and entry.
  a integer;
  b integer;
  m integer;
  k integer;
BEGIN
  SELECT array_agg(x), array_agg(x.id), array_agg(x.rq) FILTER (WHERE x.kept), min(x.ac), max(x.ac),
      min(x.pd) = max(x.pd) AND min(x.ky) = max(x.ky) AND min(x.mo) = max(x.mo)
    INTO pieces, ids, kept, account, line, is_alone
    FROM json_populate_recordset(NULL::posting_piece, p_postings) AS x;
  IF pieces IS NULL THEN RETURN '[]'; END IF;
  -- One account, balance and month need simpler statements, and they are the rule.
  is_alone := is_alone AND account = line;
  IF is_alone THEN accounts := ARRAY[account];
  ELSE
    SELECT array_agg(DISTINCT x.ac COLLATE "C") INTO accounts FROM unnest(pieces) AS x;
  END IF;
  FOR attempt IN 1 .. 2 LOOP
    IF is_alone THEN
      SELECT ARRAY[h.sequence], ARRAY[h.number], ARRAY[h.hash], h.has_budgets
        INTO sequences, numbers, hashes, has_budgets FROM account_head h
          WHERE h.account_id = account FOR UPDATE;
      EXIT WHEN FOUND;
      PERFORM lock_heads(accounts);
      CONTINUE;
    END IF;
    SELECT array_agg(h.sequence), array_agg(h.number), array_agg(h.hash), bool_or(h.has_budgets)
      INTO sequences, numbers, hashes, has_budgets
      FROM (SELECT t.sequence, t.number, t.hash, t.has_budgets FROM account_head t
        WHERE t.account_id = ANY (accounts)
        ORDER BY t.account_id COLLATE "C" FOR UPDATE) AS h;
    EXIT WHEN cardinality(sequences) = cardinality(accounts);
    PERFORM lock_heads(accounts);
  END LOOP;

  -- Everything below belongs to these accounts, so their chain heads guard it.
  IF kept IS NOT NULL THEN
    FOR r IN DELETE FROM open_hold o WHERE o.request_id = ANY (kept)
      RETURNING o.request_id, o.account_id, o.pays, o.period, o.key_id, o.month, o.microcredits, o.is_capped,
        o.budgets
    LOOP
      CONTINUE WHEN r.microcredits = 0;
      IF r.pays = 'purchased' THEN
        own_ids := own_ids || r.request_id;
        own_buckets := own_buckets || (r.account_id || ' ' || r.period);
        own_amounts := own_amounts || r.microcredits;
        UPDATE bucket t SET held = t.held - r.microcredits
          WHERE t.account_id = r.account_id AND t.period = r.period;
      END IF;
      IF r.is_capped THEN
        capped_ids := capped_ids || r.request_id;
        capped_months := capped_months || (r.key_id || ' ' || r.month);
        capped_amounts := capped_amounts || r.microcredits;
        UPDATE key_month t SET held = t.held - r.microcredits
          WHERE t.key_id = r.key_id AND t.month = r.month;
      END IF;
      IF r.budgets IS NOT NULL THEN PERFORM move_budgets(r.account_id, r.budgets, -r.microcredits); END IF;
    END LOOP;
  END IF;
  SELECT array_agg(e.id), array_agg(e.text) INTO old_ids, old_texts FROM entry e WHERE e.id = ANY (ids);
  IF is_alone THEN
    p := pieces[1];
    bucket_names := ARRAY[p.ac || ' ' || p.pd];
    month_names := ARRAY[p.ky || ' ' || p.mo];
    SELECT ARRAY[coalesce(t.granted, 0)], ARRAY[coalesce(t.used, 0)], ARRAY[coalesce(t.held, 0)],
        ARRAY[t.period IS NOT NULL], ARRAY[coalesce(m.used, 0)], ARRAY[coalesce(m.held, 0)]
      INTO granted, used, held, known, key_used, key_held
      FROM (SELECT 1) AS one
      LEFT JOIN bucket t ON t.account_id = p.ac AND t.period = p.pd
      LEFT JOIN key_month m ON m.key_id = p.ky AND m.month = p.mo;
  ELSE
    SELECT array_agg(u.ac || ' ' || u.pd), array_agg(u.ac), array_agg(u.pd),
      array_agg(coalesce(t.granted, 0)),
        array_agg(coalesce(t.used, 0)), array_agg(coalesce(t.held, 0)), array_agg(t.period IS NOT NULL)
      INTO bucket_names, bucket_accounts, bucket_periods, granted, used, held, known
      FROM (SELECT DISTINCT x.ac, x.pd FROM unnest(pieces) AS x) AS u
      LEFT JOIN bucket t ON t.account_id = u.ac AND t.period = u.pd;
    SELECT array_agg(u.ky || ' ' || u.mo), array_agg(u.ky), array_agg(u.mo), array_agg(u.ac),
        array_agg(coalesce(t.used, 0)), array_agg(coalesce(t.held, 0))
      INTO month_names, month_keys, months, month_accounts, key_used, key_held
      FROM (SELECT DISTINCT ON (x.ky, x.mo) x.ky, x.mo, x.ac FROM unnest(pieces) AS x) AS u
      LEFT JOIN key_month t ON t.key_id = u.ky AND t.month = u.mo;
  END IF;
  IF own_ids IS NOT NULL THEN
    FOR i IN 1 .. cardinality(bucket_names) LOOP
      SELECT coalesce(sum(u.amount), 0) INTO own
        FROM unnest(own_buckets, own_amounts) AS u (name, amount) WHERE u.name = bucket_names[i];
      owing[i] := own > 0 AND used[i] + held[i] + own > granted[i];
      IF owing[i] THEN held[i] := held[i] + own; END IF;
    END LOOP;
  END IF;
  -- Until its posting is decided, a hold keeps its part of the cap.
  IF capped_ids IS NOT NULL THEN
    FOR i IN 1 .. cardinality(month_names) LOOP
      SELECT coalesce(sum(u.amount), 0) INTO own_capped
        FROM unnest(capped_months, capped_amounts) AS u (name, amount) WHERE u.name = month_names[i];
      key_held[i] := key_held[i] + own_capped;
    END LOOP;
  END IF;
  -- The latest day of each account in this call. The statement at the end adds it to what is stored.
  days := array_fill(-1::bigint, ARRAY[cardinality(accounts)]);
  day_tokens := array_fill(0::bigint, ARRAY[cardinality(accounts)]);

  FOR i IN 1 .. cardinality(pieces) LOOP
    p := pieces[i];
    a := array_position(accounts, p.ac);
    b := array_position(bucket_names, p.ac || ' ' || p.pd);
    m := array_position(month_names, p.ky || ' ' || p.mo);
    bound := NULL;
    status := 'posted';
    amount := 0;
    counted := 0;
    entry_id := p.id;
    own := 0;
    IF owing[b] THEN
      own := coalesce(own_amounts[array_position(own_ids, p.rq)], 0);
      held[b] := held[b] - own;
      IF own > 0 THEN own_amounts[array_position(own_ids, p.rq)] := 0; END IF;
    END IF;
    own_capped := coalesce(capped_amounts[array_position(capped_ids, p.rq)], 0);
    IF own_capped > 0 THEN
      key_held[m] := key_held[m] - own_capped;
      capped_amounts[array_position(capped_ids, p.rq)] := 0;
    END IF;
    k := array_position(old_ids, p.id);
    IF k IS NULL AND array_position(new_ids, p.id) IS NULL THEN
      IF p.jb IS NOT NULL THEN
        IF NOT finish_item(p.jb) THEN status := 'skipped'; END IF;
      END IF;
    ELSE
      -- Another node posted an estimate before this result reached the database: the difference follows,
      -- once.
      status := 'exists';
      IF k IS NOT NULL AND NOT p.est AND (old_texts[k]::json -> 7 ->> 9) = 'recovered' THEN
        entry_id := 'ent_late_' || substr(p.id, 5);
        IF array_position(new_ids, entry_id) IS NULL
          AND NOT EXISTS (SELECT 1 FROM entry e WHERE e.id = entry_id)
        THEN
          status := 'adjusted';
        END IF;
      END IF;
    END IF;

    IF status = 'posted' THEN
      IF NOT p.pu AND NOT known[b] THEN
        IF p.re AND EXISTS (SELECT 1 FROM bucket t WHERE t.account_id = p.ac AND t.period LIKE 'cycle-%')
          AND NOT EXISTS (SELECT 1 FROM entry e WHERE e.id = p.ri)
        THEN
          line := p.t1 || sequences[a] + 1 || p.r2;
          sequences[a] := sequences[a] + 1;
          numbers[a] := nextval('entry_number');
          hashes[a] := encode(sha256(convert_to(hashes[a] || p.ri || line, 'UTF8')), 'hex');
          new_ids := new_ids || p.ri;
          new_accounts := new_accounts || p.ac;
          new_sequences := new_sequences || sequences[a];
          new_numbers := new_numbers || numbers[a];
          new_at := new_at || (line::jsonb ->> 2)::bigint;
          new_texts := new_texts || line;
          new_hashes := new_hashes || hashes[a];
        END IF;
        INSERT INTO bucket (account_id, period) VALUES (p.ac, p.pd);
        known[b] := true;
      END IF;
      cost := p.ct;
      capped := cost;
      -- A raised cap can have admitted other requests, whose holds exceed the cap of this one.
      IF p.cp IS NOT NULL THEN
        capped := greatest(0, least(cost, greatest(own_capped, p.cp - key_used[m] - key_held[m])));
      END IF;
      IF p.pu THEN
        room := greatest(0, least(cost, greatest(own, granted[b] - used[b] - held[b])));
        amount := least(capped, room, p.mc);
        counted := amount;
        IF amount <> cost THEN
          bound := CASE WHEN amount < least(capped, room) THEN 'budget'
            WHEN capped < room THEN 'key-cap' ELSE 'purchased-balance' END;
        END IF;
      ELSE
        amount := greatest(0, least(cost, most_safe - used[b]));
        counted := least(capped, amount);
      END IF;
      line := p.t1 || sequences[a] + 1 || p.t2 || amount || p.t3 || CASE
        WHEN bound IS NOT NULL THEN ',[' || cost || ',"' || bound || '",' || amount - counted || ']'
        WHEN amount > counted THEN ',[null,null,' || amount - counted || ']'
        WHEN p.fl <> '' THEN ',null' ELSE '' END || p.fl || ']]';
      used[b] := used[b] + amount;
      key_used[m] := key_used[m] + counted;
      IF NOT p.pu THEN
        IF p.dn > days[a] THEN
          days[a] := p.dn;
          day_tokens[a] := p.tk;
        ELSIF p.dn = days[a] THEN day_tokens[a] := day_tokens[a] + p.tk;
        END IF;
      END IF;
      IF bound IS NOT NULL THEN
        INSERT INTO shortfall (entry_id, account_id, at, microcredits)
          VALUES (entry_id, p.ac, p.at, cost - amount) ON CONFLICT DO NOTHING;
      END IF;
      IF p.rs IS NOT NULL THEN responses := responses || i; END IF;
    ELSIF status = 'adjusted' THEN
      cost := (old_texts[k]::json ->> 5)::bigint;
      amount := least(p.ct, p.mc) - cost;
      capped := CASE WHEN p.cp IS NULL THEN amount
        ELSE greatest(0, least(amount, p.cp - key_used[m] - key_held[m])) END;
      IF amount < 0 THEN
        -- The key gets back only what counted for it. A sum of zero is written here, since the upsert at the
        -- end makes no rows of zero.
        counted := least(0, amount + coalesce((old_texts[k]::json #>> '{7,14,2}')::bigint, 0));
        UPDATE key_month t SET used = key_used[m] + counted WHERE t.key_id = p.ky AND t.month = p.mo;
      ELSIF p.pu THEN
        amount := greatest(0, least(capped, granted[b] - used[b] - held[b]));
        counted := amount;
      ELSE
        counted := capped;
      END IF;
      granted[b] := granted[b] - amount;
      key_used[m] := key_used[m] + counted;
      line := p.t1 || sequences[a] + 1 || ',' || now_ms() || ',"adjustment",' || to_json(p.pd) || ','
        || -amount || ',"The difference to the estimate for ' || p.rq || '",null,['
        || to_json(p.ky) || ',' || p.at || ',' || counted || ']]';
      IF amount = 0 THEN status := 'exists'; END IF;
    END IF;

    IF status = 'posted' OR status = 'adjusted' THEN
      sequences[a] := sequences[a] + 1;
      numbers[a] := nextval('entry_number');
      hashes[a] := encode(sha256(convert_to(hashes[a] || entry_id || line, 'UTF8')), 'hex');
      new_ids := new_ids || entry_id;
      new_accounts := new_accounts || p.ac;
      new_sequences := new_sequences || sequences[a];
      new_numbers := new_numbers || numbers[a];
      new_at := new_at || CASE WHEN status = 'posted' THEN p.at ELSE (line::jsonb ->> 2)::bigint END;
      new_texts := new_texts || line;
      new_hashes := new_hashes || hashes[a];
    END IF;
    budgeted := NULL;
    IF has_budgets AND status = 'posted' THEN
      budgeted := spend_budgets(p.ac, p.ky, p.lb, p.at, amount);
    END IF;
    answers[i] := '["' || status || '",' || amount || ',' || counted || ',' ||
      coalesce('"' || bound || '"', 'null') || ',' || granted[b] || ',' || used[b] || ',' || key_used[m]
      || coalesce(',' || budgeted::text, '') || ']';
  END LOOP;

  IF cardinality(new_ids) > 0 THEN
    posted_at := now_ms();
    INSERT INTO entry (number, id, account_id, sequence, at, posted_at, node, text, hash)
      SELECT u.number, u.id, u.account, u.sequence, u.at, posted_at, p_node, u.text, u.hash
      FROM unnest(new_numbers, new_ids, new_accounts, new_sequences, new_at, new_texts, new_hashes)
        AS u (number, id, account, sequence, at, text, hash);
    IF is_alone THEN
      WITH head AS (
        UPDATE account_head h SET sequence = sequences[1], number = numbers[1], hash = hashes[1]
          WHERE h.account_id = account),
      balance AS (
        UPDATE bucket t SET used = used[1], granted = granted[1]
          WHERE t.account_id = account AND t.period = p.pd
            AND (t.used <> used[1] OR t.granted <> granted[1])),
      today AS (
        INSERT INTO token_day AS t (account_id, day, tokens)
          SELECT account, days[1], day_tokens[1] WHERE days[1] >= 0
          ON CONFLICT (account_id) DO UPDATE SET day = EXCLUDED.day,
            tokens = CASE WHEN t.day = EXCLUDED.day THEN t.tokens ELSE 0 END + EXCLUDED.tokens
            WHERE t.day <= EXCLUDED.day)
      INSERT INTO key_month AS t (key_id, month, account_id, used)
        SELECT p.ky, p.mo, account, key_used[1] WHERE key_used[1] > 0
        ON CONFLICT (key_id, month) DO UPDATE SET used = EXCLUDED.used WHERE t.used <> EXCLUDED.used;
    ELSE
      UPDATE account_head h SET sequence = sequences[u.i], number = numbers[u.i], hash = hashes[u.i]
        FROM unnest(accounts) WITH ORDINALITY AS u (id, i)
        WHERE h.account_id = u.id AND h.sequence <> sequences[u.i];
      UPDATE bucket t SET used = u.used, granted = u.granted
        FROM unnest(bucket_accounts, bucket_periods, used, granted) AS u (account, period, used, granted)
        WHERE t.account_id = u.account AND t.period = u.period
          AND (t.used <> u.used OR t.granted <> u.granted);
      INSERT INTO key_month AS t (key_id, month, account_id, used)
        SELECT u.key, u.month, u.account, u.used
        FROM unnest(month_keys, months, month_accounts, key_used) AS u (key, month, account, used)
        WHERE u.used > 0
        ON CONFLICT (key_id, month) DO UPDATE SET used = EXCLUDED.used WHERE t.used <> EXCLUDED.used;
      INSERT INTO token_day AS t (account_id, day, tokens)
        SELECT u.account, u.day, u.tokens
        FROM unnest(accounts, days, day_tokens) AS u (account, day, tokens) WHERE u.day >= 0
        ON CONFLICT (account_id) DO UPDATE SET day = EXCLUDED.day,
          tokens = CASE WHEN t.day = EXCLUDED.day THEN t.tokens ELSE 0 END + EXCLUDED.tokens
          WHERE t.day <= EXCLUDED.day;
    END IF;
  END IF;
  FOR i IN 1 .. coalesce(cardinality(responses), 0) LOOP
    p := pieces[responses[i]];
    PERFORM insert_response(p.ac, p.rs);
  END LOOP;
  RETURN '[' || array_to_string(answers, ',') || ']';
END
$$;

-- Writes entries for a node that is open.
CREATE OR REPLACE FUNCTION settle(p_node text, p_postings json) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM node WHERE id = p_node AND closed_at IS NULL;
  IF NOT FOUND THEN RETURN '{"closed":true}'; END IF;
  RETURN post_entries(p_node, p_postings);
END
$$;

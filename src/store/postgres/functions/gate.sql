-- Decides many operations in one call, in their order. Each scope, balance and key's month is loaded once and
-- written back once. The operations name them by their index in the lists of the call, which
-- `format-call.ts` writes:
--   s    the scopes, in order: accounts (`a:ID`), keys with limits of their own (`k:ID`) and client networks
--        (`n:NETWORK`)
--   h    the accounts whose holds can change, in order; the ends of their chains guard the balances
--   ba   the accounts of the balances; bp their periods
--   mk   the keys of the keys' months; mm the months; ma the accounts
--   da   the accounts whose plans limit their tokens of a day
--   o    the operations; the statement that reads them describes their members
-- A refusal by budgets lists them, and a hold of theirs lists its rows. The answer is `{now, a, s, b, m}`: a
-- verdict for each operation, then `[requests, when empty, tokens, when empty]` of each scope, `[granted,
-- used, held]` of each balance, and what is used of each key's month.
--
-- Windows follow `money/limits/sliding-window.ts`, the order of limits follows `money/limits/limiter.ts`, and
-- credit follows `money/ledger/account-book.ts`. The number of a call lets a node send it again.
--
-- A plan without sequential scans seems so expensive that Postgres would compile it on each call, which takes
-- 150 ms.
--
-- The steps are in one function: split into functions of at most 70 lines, a call took 7 to 19 % more CPU
-- time.
CREATE OR REPLACE FUNCTION gate(p_node text, p_era text, p_lane text, p_number bigint, p_call jsonb)
RETURNS text
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off
SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_variable

DECLARE
  most_safe constant bigint := 9007199254740991;
  -- The latest call of the node that was answered.
  last_number bigint;
  is_ready boolean;
  answer text;
  now bigint;
  r record;
  op record;
  -- The windows of the scopes: requests, tokens, requests in five minutes, and reads. A window has 61 bins.
  scopes text[] := p_call ->> 's';
  count_of integer := cardinality(scopes);
  newest bigint[];    -- the time of the newest bin of each window, in units of its width
  total bigint[];     -- the sum of each window
  bins bigint[];
  under integer[];    -- the requests that are under way in each scope
  spot integer[];     -- the position of this node among the nodes of each scope, or 0
  mine integer[];     -- the requests that are under way on this node
  spare constant bigint[] := array_fill(0::bigint, ARRAY[122]);
  -- The balances and keys' months.
  heads text[] := p_call ->> 'h';
  accounts text[] := p_call ->> 'ba';
  periods text[] := p_call ->> 'bp';
  granted bigint[];
  used bigint[];
  held bigint[];
  key_used bigint[];
  key_held bigint[];
  days bigint[];      -- the latest day of each account
  day_tokens bigint[];
  -- The new holds, which are inserted together at the end.
  holds_changed boolean := false;
  new_ids text[];
  new_accounts text[];
  new_keys text[];
  new_pays text[];
  new_periods text[];
  new_months text[];
  new_amounts bigint[];
  new_capped boolean[];
  new_at bigint[];
  new_budgets jsonb[];
  -- The parts of the answer.
  answers text := '';
  states text := '';
  balances text := '';
  -- The decision on one operation.
  fault text;         -- the limit of the account or its network that refuses
  wait bigint;
  own text;           -- the limit of the key that refuses
  own_wait bigint;
  short text;         -- the lack of credit
  free bigint;        -- what is free of purchased credit
  room bigint;        -- what is left of the key's cap
  amount bigint;      -- what is held
  least_worst bigint; -- the least amount that must be free
  budgeted jsonb;     -- the budgets that refuse, then the rows that hold the amount
  -- Indexes.
  bin bigint;
  width bigint;
  at_bin integer;
  w integer;          -- of a window
  k integer;          -- of a bin
BEGIN
  answer := set_config('synchronous_commit', 'off', true);
  -- The lock waits for close_node, which waits for this call in turn: after it, the node takes nothing more.
  SELECT g.number, CASE WHEN g.number >= p_number THEN g.answer END,
      EXISTS (SELECT 1 FROM era e WHERE e.id = p_era AND e.ready)
    INTO last_number, answer, is_ready
    FROM node n JOIN gate_call g ON g.node = n.id AND g.lane = p_lane
    WHERE n.id = p_node AND n.closed_at IS NULL FOR KEY SHARE OF n FOR UPDATE OF g;
  IF NOT FOUND THEN
    PERFORM 1 FROM node WHERE id = p_node AND closed_at IS NULL FOR KEY SHARE;
    IF NOT FOUND THEN RETURN '{"closed":true}'; END IF;
    is_ready := EXISTS (SELECT 1 FROM era e WHERE e.id = p_era AND e.ready);
    IF NOT is_ready THEN RETURN '{"era":true}'; END IF;
    INSERT INTO gate_call (node, lane, number, answer) VALUES (p_node, p_lane, 0, '') ON CONFLICT DO NOTHING;
    SELECT g.number, g.answer INTO last_number, answer FROM gate_call g
      WHERE g.node = p_node AND g.lane = p_lane FOR UPDATE;
  ELSIF NOT is_ready THEN RETURN '{"era":true}';
  END IF;
  -- A call with a lower number was sent again, and its first copy arrives late.
  IF last_number >= p_number THEN RETURN answer; END IF;

  -- Load. All calls lock in the same order: scopes, then chain heads.
  IF count_of = 1 THEN
    FOR attempt IN 1 .. 2 LOOP
      SELECT l.newest, l.total, CASE WHEN cardinality(l.bins) = 122 THEN l.bins || spare ELSE l.bins END,
          ARRAY[l.under_way], ARRAY[coalesce(array_position(l.nodes, p_node), 0)],
          ARRAY[coalesce(l.places[array_position(l.nodes, p_node)], 0)]
        INTO newest, total, bins, under, spot, mine FROM limit_state l WHERE l.scope = scopes[1] FOR UPDATE;
      EXIT WHEN FOUND;
      INSERT INTO limit_state (scope) VALUES (scopes[1]) ON CONFLICT DO NOTHING;
    END LOOP;
  ELSIF count_of > 1 THEN
    IF (SELECT count(*) FROM limit_state l WHERE l.scope = ANY (scopes)) < count_of THEN
      INSERT INTO limit_state (scope) SELECT u.scope FROM unnest(scopes) AS u (scope)
        ORDER BY u.scope COLLATE "C" ON CONFLICT DO NOTHING;
    END IF;
    FOR r IN SELECT l.* FROM limit_state l WHERE l.scope = ANY (scopes)
      ORDER BY l.scope COLLATE "C" FOR UPDATE
    LOOP
      newest := newest || r.newest;
      total := total || r.total;
      bins := bins || r.bins;
      IF cardinality(r.bins) = 122 THEN bins := bins || spare; END IF;
      under := under || r.under_way;
      k := array_position(r.nodes, p_node);
      spot := spot || coalesce(k, 0);
      mine := mine || CASE WHEN k IS NULL THEN 0 ELSE r.places[k] END;
    END LOOP;
  END IF;
  IF coalesce(cardinality(under), 0) < count_of THEN
    RAISE EXCEPTION 'a scope was swept meanwhile' USING ERRCODE = 'serialization_failure';
  END IF;
  IF cardinality(heads) > 0 THEN PERFORM lock_heads(heads); END IF;
  IF cardinality(accounts) > 0 THEN
    SELECT array_agg(coalesce(b.granted, 0)), array_agg(coalesce(b.used, 0)), array_agg(coalesce(b.held, 0))
      INTO granted, used, held
      FROM unnest(accounts, periods) AS u (account_id, period)
      LEFT JOIN bucket b ON b.account_id = u.account_id AND b.period = u.period;
  END IF;
  IF jsonb_array_length(p_call -> 'mk') > 0 THEN
    SELECT array_agg(coalesce(m.used, 0) ORDER BY u.i), array_agg(coalesce(m.held, 0) ORDER BY u.i)
      INTO key_used, key_held
      FROM ROWS FROM (jsonb_array_elements_text(p_call -> 'mk'), jsonb_array_elements_text(p_call -> 'mm'))
        WITH ORDINALITY AS u (key_id, month, i)
      LEFT JOIN key_month m ON m.key_id = u.key_id AND m.month = u.month;
  END IF;
  IF jsonb_array_length(p_call -> 'da') > 0 THEN
    SELECT array_agg(coalesce(d.day, 0) ORDER BY u.i), array_agg(coalesce(d.tokens, 0) ORDER BY u.i)
      INTO days, day_tokens
      FROM jsonb_array_elements_text(p_call -> 'da') WITH ORDINALITY AS u (account_id, i)
      LEFT JOIN token_day d ON d.account_id = u.account_id;
  END IF;

  now := now_ms();
  FOR i IN 1 .. count_of * 4 LOOP
    bin := now / CASE WHEN i % 4 = 3 THEN 5000 ELSE 1000 END;
    IF bin > newest[i] THEN
      IF total[i] > 0 THEN
        FOR step IN 0 .. least(bin - newest[i], 61) - 1 LOOP
          at_bin := (i - 1) * 61 + 1 + (bin - step) % 61;
          IF bins[at_bin] <> 0 THEN
            total[i] := total[i] - bins[at_bin];
            bins[at_bin] := 0;
          END IF;
        END LOOP;
      END IF;
      newest[i] := bin;
    END IF;
  END LOOP;

  FOR op IN SELECT x.*, a.version AS account_now, y.version AS key_now
    FROM jsonb_to_recordset(p_call -> 'o') AS x (
      -- The kind: admit, ask (decides without counting), read, release, or void (a release that ends a hold).
      k text,
      id text,       -- the id of the request
      a integer,     -- the scope of the account
      y integer,     -- the scope of the key, if it has limits of its own
      n integer,     -- the scope of the network, if the plan limits it
      rq bigint,     -- the requests that count; at a release, those that are taken back
      tk bigint,     -- the estimated tokens
      ta bigint,     -- at a release: the actual tokens; null if the estimate stays
      t0 bigint,     -- at a release: when the request was counted
      cc boolean,    -- takes or ends a place of the concurrency limits
      f1 bigint,     -- the plan's limit of requests per minute
      f5 bigint,     -- the plan's limit of requests in five minutes, if it has one
      fc bigint,     -- the plan's limit of concurrent requests
      ft bigint,     -- the plan's limit of tokens per minute
      fn bigint,     -- the plan's limit of requests per minute of a network
      k1 bigint,     -- the key's limit of requests per minute
      kt bigint,     -- the key's limit of tokens per minute
      kc bigint,     -- the key's limit of concurrent requests
      b integer,     -- the balance that pays; null if nothing is decided about credit
      p integer,     -- the balance of the cycle
      m integer,     -- the key's month, if the key has a cap
      d integer,     -- the account's day, if the plan limits its tokens
      pu boolean,    -- purchased credit pays
      lim bigint,    -- the limit of the cycle, if it has one
      cap bigint,    -- the cap of the key, if it has one
      lw bigint,     -- the least amount that must be free
      mw bigint,     -- the amount to hold at most
      tpd bigint,    -- the plan's limit of tokens per day
      dn bigint,     -- the day of the request
      at bigint,     -- the time of the request
      ai text,       -- the id of the account
      ki text,       -- the id of the key
      av bigint,     -- the version of the account that the node has checked
      kv bigint,     -- the version of the key that the node has checked
      bg boolean,    -- the account has budgets
      lb jsonb)      -- the labels that budgets count the request for
    LEFT JOIN account a ON a.id = x.ai AND x.av IS NOT NULL
    LEFT JOIN api_key y ON y.id = x.ki AND x.kv IS NOT NULL
  LOOP
    IF answers <> '' THEN answers := answers || ','; END IF;

    IF op.k = 'admit' OR op.k = 'ask' THEN
      IF op.av IS DISTINCT FROM op.account_now OR op.kv IS DISTINCT FROM op.key_now THEN
        answers := answers || '["stale"]';
        CONTINUE;
      END IF;
      amount := 0;
      IF op.b IS NOT NULL THEN
        short := NULL;
        free := NULL;
        room := NULL;
        least_worst := coalesce(op.lw, 0);
        IF op.pu THEN
          IF used[op.b] >= granted[op.b] AND used[op.b] + held[op.b] <= granted[op.b]
            THEN short := 'nothing-purchased';
          ELSE
            free := granted[op.b] - used[op.b] - held[op.b];
            IF free < greatest(1, least_worst) THEN short := 'purchased-too-little'; END IF;
          END IF;
        ELSIF used[op.b] >= coalesce(op.lim, most_safe) + granted[op.b] THEN short := 'period-used-up';
        ELSIF op.tpd IS NOT NULL
          AND (CASE WHEN days[op.d] < op.dn THEN 0 ELSE day_tokens[op.d] END) >= op.tpd
        THEN short := 'day-used-up';
        END IF;
        IF op.cap IS NOT NULL THEN
          room := op.cap - key_used[op.m] - key_held[op.m];
          IF short IS DISTINCT FROM 'nothing-purchased' AND (key_used[op.m] >= op.cap OR room < least_worst)
          THEN short := 'key-cap-reached';
          END IF;
        END IF;
        budgeted := NULL;
        IF op.bg AND short IS DISTINCT FROM 'nothing-purchased' THEN
          SELECT least(room, min(b.room)),
            jsonb_agg(b.state) FILTER (WHERE b.is_spent OR b.room < least_worst)
            INTO room, budgeted FROM budget_states(op.ai, op.ki, op.lb, op.at) AS b;
          IF budgeted IS NOT NULL THEN
            answers := answers || '["short","budget-reached",' || used[op.p] || ',' || granted[op.p] || ','
              || budgeted::text || ']';
            CONTINUE;
          END IF;
        END IF;
        IF short IS NOT NULL THEN
          answers := answers || '["short","' || short || '",' || used[op.p] || ',' || granted[op.p] || ']';
          CONTINUE;
        END IF;
        amount := least(coalesce(op.mw, 0), room, free);
      END IF;

      IF op.a IS NOT NULL THEN
        own := NULL;
        own_wait := 0;
        fault := NULL;
        IF op.y IS NOT NULL THEN
          w := op.y * 4 - 3;
          IF op.k1 IS NOT NULL AND total[w] > 0 AND total[w] + op.rq > op.k1 THEN
            own := 'key-requests';
            own_wait := window_wait(bins[(w - 1) * 61 + 1 : w * 61], newest[w], 1000, now,
              greatest(0, op.k1 - op.rq));
          ELSIF op.kt IS NOT NULL AND total[w + 1] > 0 AND total[w + 1] + op.tk > op.kt THEN
            own := 'key-tokens';
            own_wait := window_wait(bins[w * 61 + 1 : w * 61 + 61], newest[w + 1], 1000, now,
              greatest(0, op.kt - op.tk));
          ELSIF op.cc AND op.kc IS NOT NULL AND under[op.y] >= op.kc THEN
            own := 'key-concurrent';
            own_wait := 1000;
          END IF;
        END IF;
        w := op.a * 4 - 3;
        IF total[w] > 0 AND total[w] + op.rq > op.f1 THEN
          fault := 'requests';
          wait := window_wait(bins[(w - 1) * 61 + 1 : w * 61], newest[w], 1000, now,
            greatest(0, op.f1 - op.rq));
        ELSIF op.f5 IS NOT NULL AND total[w + 2] > 0 AND total[w + 2] + op.rq > op.f5 THEN
          fault := 'long-requests';
          wait := window_wait(bins[(w + 1) * 61 + 1 : (w + 2) * 61], newest[w + 2], 5000, now,
            greatest(0, op.f5 - op.rq));
        ELSIF op.n IS NOT NULL AND total[op.n * 4 - 3] > 0 AND total[op.n * 4 - 3] + op.rq > op.fn THEN
          fault := 'network';
          k := op.n * 4 - 3;
          wait := window_wait(bins[(k - 1) * 61 + 1 : k * 61], newest[k], 1000, now,
            greatest(0, op.fn - op.rq));
        ELSIF total[w + 1] > 0 AND total[w + 1] + op.tk > op.ft THEN
          fault := 'tokens';
          wait := window_wait(bins[w * 61 + 1 : w * 61 + 61], newest[w + 1], 1000, now,
            greatest(0, op.ft - op.tk));
        ELSIF op.cc AND under[op.a] >= op.fc THEN
          fault := 'concurrent';
          wait := 1000;
        END IF;
        IF own IS NOT NULL AND (fault IS NULL OR own_wait > wait) THEN
          fault := own;
          wait := own_wait;
        END IF;
        IF fault IS NOT NULL THEN
          answers := answers || '["limited","' || fault || '",' || wait || ']';
          CONTINUE;
        END IF;
      END IF;
      IF op.bg AND amount > 0 AND op.k = 'admit' THEN
        budgeted := hold_budgets(op.ai, op.ki, op.lb, op.at, amount);
        answers := answers || '["ok",' || amount || ',' || coalesce(budgeted::text, 'null') || ']';
      ELSE
        budgeted := NULL;
        answers := answers || '["ok",' || amount || ']';
      END IF;
      CONTINUE WHEN op.k = 'ask';

      IF op.a IS NOT NULL THEN
        k := (w - 1) * 61 + 1 + newest[w] % 61;
        bins[k] := bins[k] + op.rq;
        total[w] := total[w] + op.rq;
        k := w * 61 + 1 + newest[w + 1] % 61;
        bins[k] := bins[k] + op.tk;
        total[w + 1] := total[w + 1] + op.tk;
        IF op.f5 IS NOT NULL THEN
          k := (w + 1) * 61 + 1 + newest[w + 2] % 61;
          bins[k] := bins[k] + op.rq;
          total[w + 2] := total[w + 2] + op.rq;
        END IF;
        IF op.n IS NOT NULL THEN
          w := op.n * 4 - 3;
          k := (w - 1) * 61 + 1 + newest[w] % 61;
          bins[k] := bins[k] + op.rq;
          total[w] := total[w] + op.rq;
        END IF;
        IF op.y IS NOT NULL THEN
          w := op.y * 4 - 3;
          k := (w - 1) * 61 + 1 + newest[w] % 61;
          bins[k] := bins[k] + op.rq;
          total[w] := total[w] + op.rq;
          k := w * 61 + 1 + newest[w + 1] % 61;
          bins[k] := bins[k] + op.tk;
          total[w + 1] := total[w + 1] + op.tk;
        END IF;
        IF op.cc THEN
          mine[op.a] := mine[op.a] + 1;
          under[op.a] := under[op.a] + 1;
          IF op.y IS NOT NULL THEN
            mine[op.y] := mine[op.y] + 1;
            under[op.y] := under[op.y] + 1;
          END IF;
        END IF;
      END IF;
      IF amount > 0 THEN
        holds_changed := true;
        IF op.pu THEN held[op.b] := held[op.b] + amount; END IF;
        IF op.cap IS NOT NULL THEN key_held[op.m] := key_held[op.m] + amount; END IF;
        new_ids := new_ids || op.id;
        new_accounts := new_accounts || op.ai;
        new_keys := new_keys || op.ki;
        new_pays := new_pays || CASE WHEN op.pu THEN 'purchased' ELSE 'monthly' END;
        new_periods := new_periods || periods[op.b];
        new_months := new_months || CASE WHEN op.m IS NULL THEN '' ELSE p_call -> 'mm' ->> (op.m - 1) END;
        new_amounts := new_amounts || amount;
        new_capped := new_capped || (op.cap IS NOT NULL);
        new_at := new_at || op.at;
        new_budgets := new_budgets || budgeted;
      END IF;

    ELSIF op.k = 'read' THEN
      IF op.av IS DISTINCT FROM op.account_now OR op.kv IS DISTINCT FROM op.key_now THEN
        answers := answers || '["stale"]';
        CONTINUE;
      END IF;
      w := op.a * 4;
      room := greatest(1, op.f1 - op.rq);
      IF total[w] > room THEN
        wait := window_wait(bins[(w - 1) * 61 + 1 : w * 61], newest[w], 1000, now, room);
        answers := answers || '["limited","reads",' || wait || ']';
      ELSE
        k := (w - 1) * 61 + 1 + newest[w] % 61;
        bins[k] := bins[k] + op.rq;
        total[w] := total[w] + op.rq;
        answers := answers || '["ok",0]';
      END IF;

    ELSE
      -- release, with what the request did not use: tokens, or everything that it took
      IF op.cc THEN
        IF mine[op.a] > 0 THEN
          mine[op.a] := mine[op.a] - 1;
          under[op.a] := under[op.a] - 1;
        END IF;
        IF op.y IS NOT NULL AND mine[op.y] > 0 THEN
          mine[op.y] := mine[op.y] - 1;
          under[op.y] := under[op.y] - 1;
        END IF;
      END IF;
      FOREACH w IN ARRAY ARRAY[op.a * 4 - 2, op.y * 4 - 2] LOOP
        CONTINUE WHEN w IS NULL OR op.ta IS NULL OR op.ta = op.tk;
        IF op.ta > op.tk THEN
          k := (w - 1) * 61 + 1 + newest[w] % 61;
          bins[k] := bins[k] + op.ta - op.tk;
          total[w] := total[w] + op.ta - op.tk;
        ELSIF op.t0 / 1000 BETWEEN newest[w] - 60 AND newest[w] THEN
          k := (w - 1) * 61 + 1 + (op.t0 / 1000) % 61;
          amount := least(op.tk - op.ta, bins[k]);
          bins[k] := bins[k] - amount;
          total[w] := total[w] - amount;
        END IF;
      END LOOP;
      IF op.rq > 0 THEN
        FOREACH w IN ARRAY ARRAY[op.a * 4 - 3, op.y * 4 - 3, op.n * 4 - 3,
          CASE WHEN op.f5 IS NOT NULL THEN op.a * 4 - 1 END]
        LOOP
          CONTINUE WHEN w IS NULL;
          width := CASE WHEN w % 4 = 3 THEN 5000 ELSE 1000 END;
          IF op.t0 / width BETWEEN newest[w] - 60 AND newest[w] THEN
            k := (w - 1) * 61 + 1 + (op.t0 / width) % 61;
            amount := least(op.rq, bins[k]);
            bins[k] := bins[k] - amount;
            total[w] := total[w] - amount;
          END IF;
        END LOOP;
      END IF;
      IF op.k = 'void' THEN
        DELETE FROM open_hold o WHERE o.request_id = op.id
          RETURNING o.microcredits, o.is_capped, o.budgets INTO r;
        IF FOUND AND r.microcredits > 0 THEN
          holds_changed := true;
          IF op.pu THEN held[op.b] := held[op.b] - r.microcredits; END IF;
          IF r.is_capped THEN key_held[op.m] := key_held[op.m] - r.microcredits; END IF;
          IF r.budgets IS NOT NULL THEN PERFORM move_budgets(op.ai, r.budgets, -r.microcredits); END IF;
        END IF;
      END IF;
      answers := answers || '["ok",0]';
    END IF;
  END LOOP;

  -- Write back.
  IF count_of = 1 THEN
    UPDATE limit_state l SET newest = newest, total = total,
        bins = CASE WHEN total[3] + total[4] = 0 THEN bins[: 122] ELSE bins END,
        under_way = under[1],
        nodes = CASE WHEN spot[1] = 0 AND mine[1] > 0 THEN l.nodes || p_node ELSE l.nodes END,
        places = CASE WHEN spot[1] > 0 THEN l.places[: spot[1] - 1] || mine[1] || l.places[spot[1] + 1 :]
          WHEN mine[1] > 0 THEN l.places || mine[1] ELSE l.places END,
        used_at = now
      WHERE l.scope = scopes[1];
  ELSIF count_of > 1 THEN
    UPDATE limit_state l SET
        newest = newest[u.i * 4 - 3 : u.i * 4],
        total = total[u.i * 4 - 3 : u.i * 4],
        bins = bins[u.i * 244 - 243 : CASE WHEN total[u.i * 4 - 1] + total[u.i * 4] = 0
          THEN u.i * 244 - 122 ELSE u.i * 244 END],
        under_way = under[u.i],
        nodes = CASE WHEN spot[u.i] = 0 AND mine[u.i] > 0 THEN l.nodes || p_node ELSE l.nodes END,
        places = CASE WHEN spot[u.i] > 0
          THEN l.places[: spot[u.i] - 1] || mine[u.i] || l.places[spot[u.i] + 1 :]
          WHEN mine[u.i] > 0 THEN l.places || mine[u.i] ELSE l.places END,
        used_at = now
      FROM (SELECT t.scope, t.i::integer AS i FROM unnest(scopes) WITH ORDINALITY AS t (scope, i)) AS u
      WHERE l.scope = u.scope;
  END IF;
  FOR i IN 1 .. count_of LOOP
    w := i * 4 - 3;
    states := states || CASE WHEN i > 1 THEN ',[' ELSE '[' END || total[w] || ','
      || CASE WHEN total[w] = 0 THEN 0
        WHEN bins[(w - 1) * 61 + 1 + newest[w] % 61] > 0 THEN (newest[w] + 61) * 1000
        ELSE now + window_wait(bins[(w - 1) * 61 + 1 : w * 61], newest[w], 1000, now, 0) END
      || ',' || total[w + 1] || ','
      || CASE WHEN total[w + 1] = 0 THEN 0
        WHEN bins[w * 61 + 1 + newest[w + 1] % 61] > 0 THEN (newest[w + 1] + 61) * 1000
        ELSE now + window_wait(bins[w * 61 + 1 : w * 61 + 61], newest[w + 1], 1000, now, 0) END
      || ']';
  END LOOP;
  IF holds_changed THEN
    UPDATE bucket b SET held = held[u.i]
      FROM unnest(accounts, periods) WITH ORDINALITY AS u (account_id, period, i)
      WHERE b.account_id = u.account_id AND b.period = u.period AND b.held <> held[u.i];
    IF key_held IS NOT NULL THEN
      INSERT INTO key_month (key_id, month, account_id, used, held)
        SELECT u.key_id, u.month, u.account_id, 0, key_held[u.i]
        FROM ROWS FROM (jsonb_array_elements_text(p_call -> 'mk'), jsonb_array_elements_text(p_call -> 'mm'),
          jsonb_array_elements_text(p_call -> 'ma')) WITH ORDINALITY AS u (key_id, month, account_id, i)
        ON CONFLICT (key_id, month) DO UPDATE SET held = EXCLUDED.held WHERE key_month.held <> EXCLUDED.held;
    END IF;
    INSERT INTO open_hold (request_id, node, account_id, key_id, pays, period, month, microcredits,
        is_capped, at, budgets)
      SELECT u.id, p_node, u.account, u.key, u.pays, u.period, u.month, u.amount, u.capped, u.at, u.budgets
      FROM unnest(new_ids, new_accounts, new_keys, new_pays, new_periods, new_months, new_amounts,
        new_capped, new_at, new_budgets)
        AS u (id, account, key, pays, period, month, amount, capped, at, budgets);
  END IF;
  FOR i IN 1 .. coalesce(cardinality(used), 0) LOOP
    balances := balances || CASE WHEN i > 1 THEN ',[' ELSE '[' END
      || granted[i] || ',' || used[i] || ',' || held[i] || ']';
  END LOOP;
  answer := '{"now":' || now || ',"a":[' || answers || '],"s":[' || states || '],"b":[' || balances
    || '],"m":[' || coalesce(array_to_string(key_used, ','), '') || ']}';
  UPDATE gate_call g SET number = p_number, answer = answer WHERE g.node = p_node AND g.lane = p_lane;
  RETURN answer;
END
$$;

import { type Mutant, row } from './mutant.ts';

const nodes = (name: string, file: string, before: string, after: string): Mutant => ({
  ...row(name, `store/postgres/${file}`, before, after),
  store: 'postgres',
});

/** Faults of several nodes on one database. */
export const nodeMutants: readonly Mutant[] = [
  nodes(
    'the holds of a lost node never end',
    'functions/nodes.sql',
    'voided := void_holds(ARRAY(SELECT o.request_id FROM open_hold o WHERE o.node = p_id));',
    'voided := 0;',
  ),
  nodes(
    'the places of a lost node are never free',
    'functions/nodes.sql',
    'PERFORM return_places(p_id);',
    'DELETE FROM gate_call g WHERE g.node = p_id;',
  ),
  nodes(
    'nodes serve requests after the tokens of the day are used up',
    'functions/gate.sql',
    "THEN short := 'day-used-up';",
    "AND false THEN short := 'day-used-up';",
  ),
  nodes(
    'a closed node still settles',
    'functions/post-entries.sql',
    'PERFORM 1 FROM node WHERE id = p_node AND closed_at IS NULL;',
    'PERFORM 1 FROM node WHERE id = p_node;',
  ),
  nodes(
    'a settlement that is sent again posts twice',
    'ledger/settlements.ts',
    "group.map(({ posting }) => posting).join(',')",
    "group.map(({ posting }) => posting.replace('ent_', 'ent_' + performance.now().toFixed())).join(',')",
  ),
  nodes(
    'open holds of other nodes do not count against purchased credit',
    'functions/gate.sql',
    'free := granted[op.b] - used[op.b] - held[op.b];',
    'free := granted[op.b] - used[op.b];',
  ),
  nodes(
    'open holds of other nodes do not count against the cap of a key',
    'functions/gate.sql',
    'room := op.cap - key_used[op.m] - key_held[op.m];',
    'room := op.cap - key_used[op.m];',
  ),
  nodes(
    'open holds of other nodes do not count against a budget',
    'functions/budgets.sql',
    'budget_limit(o.rule, p_at) - s.used - s.held, s.used',
    'budget_limit(o.rule, p_at) - s.used, s.used',
  ),
  nodes(
    'nodes together admit one concurrent request more',
    'functions/gate.sql',
    'ELSIF op.cc AND under[op.a] >= op.fc THEN',
    'ELSIF op.cc AND under[op.a] > op.fc THEN',
  ),
  nodes(
    'the window of all nodes admits one request more',
    'functions/gate.sql',
    'IF total[w] > 0 AND total[w] + op.rq > op.f1 THEN\n          fault :=',
    'IF total[w] > 0 AND total[w] + op.rq > op.f1 + 1 THEN\n          fault :=',
  ),
  nodes(
    'the tokens of a day count twice',
    'functions/gate.sql',
    'THEN 0 ELSE day_tokens[op.d] END) >= op.tpd',
    'THEN 0 ELSE 2 * day_tokens[op.d] END) >= op.tpd',
  ),
  nodes(
    'the tokens of a day count on the next day too, on all nodes',
    'functions/gate.sql',
    'CASE WHEN days[op.d] < op.dn THEN 0 ELSE',
    'CASE WHEN days[op.d] < 0 THEN 0 ELSE',
  ),
  nodes(
    'an admission that is sent again counts again',
    'functions/gate.sql',
    'IF last_number >= p_number THEN RETURN answer; END IF;',
    '',
  ),
  nodes(
    'an attempt of a lost node still finishes an item',
    'functions/batch-items.sql',
    "AND attempt = (place ->> 'attempt')::integer AND state = 'running'",
    "AND state IN ('running', 'succeeded')",
  ),
];

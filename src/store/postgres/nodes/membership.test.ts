import { afterAll, expect, test } from 'bun:test';
import { waitFor } from '../../../../test/support/wait-for.ts';
import { Database } from '../database.ts';
import type { Queries } from '../queries.ts';
import { postgresForTest } from '../testing/postgres-for-test.ts';
import { DatabaseClock } from './database-clock.ts';
import { Membership } from './membership.ts';

const started: Membership[] = [];

const database = new Database({ url: await (await postgresForTest()).create() });
afterAll(async () => {
  for (const membership of started) await membership.stop();
  await database.close();
});

/** Longer than the pause between heartbeats. */
const STEADY_MS = 1_500;

async function join(name: string, queries: Queries = database) {
  const clock = new DatabaseClock(async () => {});
  const events = [] as string[];
  const closures = [] as string[];
  const membership = new Membership({
    queries,
    clock,
    version: '1',
    commitDate: '2026-11-24',
    configHash: () => name,
    worker: null,
    steadyMs: STEADY_MS,
    report: (_, event) => void events.push(event),
  });
  started.push(membership);
  membership.serve(() => 3);
  membership.onClosed((id) => closures.push(id));
  await membership.start();
  return { membership, clock, events, closures };
}

const listed = async (id: string) => await database.first('SELECT * FROM node WHERE id = $1', [id]);

test('a node is listed with its configuration and its open requests until it stops', async () => {
  const { membership } = await join('one');
  expect(await listed(membership.id)).toMatchObject({
    config_hash: 'one',
    commit_date: '2026-11-24',
    open_requests: 3,
    closed_at: null,
  });
  await membership.stop();
  expect(await listed(membership.id)).toBeUndefined();
});

test('a node that stops gives back its places', async () => {
  const { membership } = await join('places');
  const { id } = membership;
  await database.run(
    `INSERT INTO limit_state (scope, under_way, nodes, places) VALUES ('a:places', 3, ARRAY['other', $1], '{1,2}')`,
    [id],
  );
  await database.run(`INSERT INTO gate_call (node, lane, number, answer) VALUES ($1, 'lane', 1, '')`, [id]);
  await membership.stop();
  const state = await database.first(
    `SELECT under_way, nodes, places, (SELECT count(*) FROM gate_call WHERE node = $1) AS calls
     FROM limit_state WHERE scope = 'a:places'`,
    [id],
  );
  expect(state).toEqual({ under_way: 1, nodes: ['other'], places: [1], calls: 0 });
});

/** Adds an open hold, with output if it is not of the item of a batch. */
const addHold = (node: string, requestId: string, item: number | null) =>
  database.run(
    `INSERT INTO open_hold (request_id, node, account_id, key_id, pays, period, month, microcredits, is_capped, at,
       produced, away_batch, away_number)
     VALUES ($2, $1, 'acct_left', 'key_left', 'monthly', 'cycle-1', '2026-11', 0, false, 1, $3::integer IS NULL, CASE WHEN $3::integer IS NOT NULL THEN 7 END, $3)`,
    [node, requestId, item],
  );
const heldNow = async () => await database.all('SELECT request_id, node FROM open_hold ORDER BY request_id');

test('a node that stops voids all holds except those of items at a provider', async () => {
  const { membership } = await join('holding');
  const { id } = membership;
  await database.run(
    `INSERT INTO batch_item (batch, number, custom_id, request_id, submission, state) VALUES
       (7, 0, 'away', 'req_away', 1, 'running'), (7, 1, 'unsent', 'req_unsent', NULL, 'queued')`,
  );
  await addHold(id, 'req_ended', null);
  await addHold(id, 'req_away', 0);
  await addHold(id, 'req_unsent', 1);
  await membership.stop();
  expect(await heldNow()).toEqual([{ request_id: 'req_away', node: id }]);
  expect(await listed(id)).toMatchObject({ closed_at: null });
  await database.run('UPDATE node SET heartbeat = heartbeat - 11000 WHERE id = $1', [id]);
  await join('survivor');
  await waitFor(async () => (await listed(id))?.closed_at !== null);
  expect(await heldNow()).toEqual([{ request_id: 'req_away', node: '' }]);
});

test('the time of the database moves ahead with the clock of the installation', async () => {
  const { membership, clock } = await join('clock');
  let jumps = 0;
  clock.onJump(() => jumps++);
  const difference = async () => clock.now() - Number((await database.first('SELECT now_ms() AS now'))?.now);
  expect(Math.abs(await difference())).toBeLessThan(1_000);
  await database.run('UPDATE installation SET clock_ahead_ms = 3600000');
  await membership.pulse();
  expect(Math.abs(await difference())).toBeLessThan(1_000);
  expect(jumps).toBe(1);
  await database.run('UPDATE installation SET clock_ahead_ms = 0');
});

test('a change is reported once, although readings overlap', async () => {
  const { membership } = await join('feed');
  const reported: string[] = [];
  membership.feed.on('key', (subject) => reported.push(subject));
  await database.run(`SELECT announce('key', 'key_1')`);
  await membership.pulse();
  await membership.pulse();
  expect(reported).toEqual(['key_1']);
});

test('a node that was closed goes on under another id', async () => {
  const { membership, closures, events } = await join('closed');
  const before = membership.id;
  await database.run('UPDATE node SET closed_at = now_ms() WHERE id = $1', [before]);
  await membership.pulse();
  expect(membership.id).not.toBe(before);
  expect(closures).toEqual([before]);
  expect(events).toContain('node-was-closed');
  expect(await listed(membership.id)).toMatchObject({ closed_at: null });
});

/** Registers a node that has not beaten for eleven seconds. */
async function addSilent(id: string): Promise<void> {
  await database.run(`SELECT register_node($1, '1', 'x', 'h', NULL)`, [id]);
  await database.run('UPDATE node SET heartbeat = heartbeat - 11000 WHERE id = $1', [id]);
}

test('a node that was closed more than a day ago is deleted when another one starts', async () => {
  const closed = { node_old: '86400001', node_recent: '3600000' };
  for (const [id, ms] of Object.entries(closed)) {
    await addSilent(id);
    await database.run(`UPDATE node SET closed_at = now_ms() - ${ms} WHERE id = $1`, [id]);
  }
  await join('cleaner');
  expect(await listed('node_old')).toBeUndefined();
  expect((await listed('node_recent'))?.id).toBe('node_recent');
});

test('a silent node is closed by another one, which reports it', async () => {
  for (const other of started) await other.stop();
  await addSilent('node_silent');
  const { events } = await join('other');
  await waitFor(async () => (await listed('node_silent'))?.closed_at !== null);
  await waitFor(() => events.includes('node-closed'));
});

test('a silent node that beats again before it is closed stays open', async () => {
  let hasBeaten = false;
  const first: Queries['first'] = async (text, ...rest) => {
    if (text.includes('close_node')) {
      await database.run(`UPDATE node SET heartbeat = now_ms() WHERE id = 'node_awake'`);
      hasBeaten = true;
    }
    return database.first(text, ...rest);
  };
  for (const other of started) await other.stop();
  await addSilent('node_awake');
  const { membership, events } = await join('hasty', {
    all: (...call) => database.all(...call),
    run: (...call) => database.run(...call),
    first,
  });
  await waitFor(() => hasBeaten);
  await membership.pulseAnew();
  expect(await listed('node_awake')).toMatchObject({ closed_at: null });
  expect(events).not.toContain('node-closed');
  await membership.stop();
});

test('after an absence of the database, nodes have time for a heartbeat before others close them', async () => {
  for (const other of started) await other.stop();
  let isAway = false;
  const first: Queries['first'] = async (...call) => {
    if (isAway) throw new Error('away');
    return database.first(...call);
  };
  const { membership } = await join('patient', {
    all: (...call) => database.all(...call),
    run: (...call) => database.run(...call),
    first,
  });
  isAway = true;
  const from = performance.now();
  await waitFor(() => performance.now() - from > 1.2 * STEADY_MS);
  await addSilent('node_patient');
  isAway = false;
  await membership.pulse();
  expect(await listed('node_patient')).toMatchObject({ closed_at: null });
  await membership.stop();
});

test('changes from the beginning of an absence are read after it', async () => {
  const { membership } = await join('absent');
  const reported: string[] = [];
  membership.feed.on('reload', (subject) => reported.push(subject));
  await database.run(`SELECT announce('reload', 'early')`);
  await database.run('UPDATE change SET at = at - 15000 WHERE subject = $1', ['early']);
  membership.heardAt = performance.now() - 16_000;
  await membership.pulseAnew();
  expect(reported).toEqual(['early']);
});

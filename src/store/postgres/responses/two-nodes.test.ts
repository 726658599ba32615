import { afterEach, beforeEach, expect, test } from 'bun:test';
import { newId } from '../../../base/lib/ids.ts';
import { DAY_MS } from '../../../base/lib/units.ts';
import type { ResponseLookup } from '../../../inference/responses/response-store.ts';
import type { StoredResponse } from '../../../money/ledger/stored-response.ts';
import { StoredConversations } from '../../stored-conversations.ts';
import { Database } from '../database.ts';
import { PostgresQueries } from '../postgres-queries.ts';
import { postgresForTest } from '../testing/postgres-for-test.ts';
import { PostgresResponses } from './postgres-responses.ts';
import { PostgresStoredBytes } from './postgres-stored-bytes.ts';
import { responseParameter } from './response-write.ts';

const NOW = Date.UTC(2026, 0, 31);
const ACCOUNT = 'acct_1';

let url: string;
let databases: Database[];
let nodes: PostgresResponses[];
let bytes: PostgresStoredBytes;

beforeEach(async () => {
  url = await (await postgresForTest()).create();
  databases = [1, 2].map(() => new Database({ url, maxConnections: 6 }));
  nodes = databases.map((database) => new PostgresResponses(database));
  bytes = new PostgresStoredBytes(databases[0]!);
});
afterEach(async () => {
  const { drop } = await postgresForTest();
  await Promise.all(databases.map((database) => database.close()));
  await drop(url);
});

const response = (fields: Partial<StoredResponse> = {}): StoredResponse => ({
  id: newId('resp_'),
  keyId: 'key_1',
  createdAt: NOW,
  expiresAt: NOW + DAY_MS,
  envelope: '{}',
  turn: { model: 'm', input: '["new"]', output: '["said"]' },
  wholeInput: '["old","new"]',
  previousId: null,
  itemIds: [],
  counts: { input: 1, output: 1 },
  ...fields,
});

async function saved(node: PostgresResponses, fields: Partial<StoredResponse> = {}) {
  const sample = response(fields);
  await node.saveResponse(ACCOUNT, sample);
  return sample;
}

const wanted = ({ id, keyId }: StoredResponse): ResponseLookup => ({ id, keyId, now: NOW });

/** Compares the total of the rows with the totals and the steps that are counted. */
async function expectCounted(accounts: readonly string[] = [ACCOUNT]): Promise<void> {
  const row = await databases[0]!.first(`
    SELECT (SELECT coalesce(sum(stored), 0)::bigint FROM response)
        + (SELECT coalesce(sum(stored), 0)::bigint FROM turn)
        + (SELECT coalesce(sum(stored), 0)::bigint FROM conversation) AS rows,
      (SELECT coalesce(sum(bytes), 0)::bigint FROM account_storage WHERE until > 0) AS steps`);
  const totals = await Promise.all(accounts.map((account) => bytes.storedBytes(account)));
  const total = totals.reduce((sum, one) => sum + one, 0);
  expect({ rows: row!.rows, steps: row!.steps }).toEqual({ rows: total, steps: total });
}

test('keeps a response once if its save is sent again', async () => {
  const one = await saved(nodes[0]!, { itemIds: ['msg_1'] });
  const before = await bytes.storedBytes(ACCOUNT);
  await nodes[1]!.saveResponse(ACCOUNT, one);
  expect(await bytes.storedBytes(ACCOUNT)).toBe(before);
  await expectCounted();
});

test('keeps a conversation that both nodes continue at the same time', async () => {
  const first = await saved(nodes[0]!);
  const later = await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      saved(nodes[index % 2]!, { previousId: first.id, expiresAt: NOW + DAY_MS + index * 100_000 }),
    ),
  );
  for (const one of later) expect(await nodes[0]!.loadTurns(wanted(one))).toHaveLength(2);
  await expectCounted();
});

test('stores the whole input of a continuation, or the turn that it continues', async () => {
  for (let round = 0; round < 30; round++) {
    const first = await saved(nodes[0]!, { turn: { model: 'm', input: '["old"]', output: '[]' } });
    await databases[0]!.run(`UPDATE turn SET input = '["old"]' WHERE id = $1`, [first.id]);
    const [, second] = await Promise.all([
      nodes[0]!.deleteResponse(wanted(first)),
      saved(nodes[1]!, { previousId: first.id }),
    ]);
    const inputs = (await nodes[0]!.loadTurns(wanted(second))).flatMap(({ input }) => JSON.parse(input));
    expect(inputs).toEqual(['old', 'new']);
    await expectCounted();
  }
});

test('counts every byte while two nodes store and sweep', async () => {
  const kept: StoredResponse[] = [];
  for (let index = 0; index < 60; index++) {
    const previousId = index % 3 === 0 ? null : kept.at(-1)!.id;
    kept.push(await saved(nodes[index % 2]!, { previousId, expiresAt: NOW + 1 + (index % 7) }));
  }
  const sweeps = Array.from({ length: 30 }, (_, index) =>
    nodes[index % 2]!.sweepResponses({ now: NOW + (index % 9), limit: 4 }),
  );
  const saves = Array.from({ length: 30 }, (_, index) =>
    saved(nodes[index % 2]!, { previousId: kept[index * 2]!.id, expiresAt: NOW + 5 + index }),
  );
  await Promise.all([...sweeps, ...saves]);
  await expectCounted();
  while ((await nodes[0]!.sweepResponses({ now: NOW + 9 * DAY_MS, limit: 100 })) > 0);
  expect(await bytes.storedBytes(ACCOUNT)).toBe(0);
  expect(await databases[0]!.all('SELECT 1 FROM turn_part UNION ALL SELECT 1 FROM response_item')).toEqual(
    [],
  );
});

test('sweeps around an account that another transaction has locked', async () => {
  const expired = { expiresAt: NOW + 1 };
  await saved(nodes[0]!, expired);
  await nodes[0]!.saveResponse('acct_2', response(expired));
  const sweep = () => nodes[1]!.sweepResponses({ now: NOW + 1, limit: 10 });
  await databases[0]!.transaction(async (queries) => {
    await queries.run('SELECT insert_response($1, $2::text::jsonb)', [
      'acct_2',
      responseParameter(response()),
    ]);
    expect(await sweep()).toBe(2);
    // The transaction goes on with an account that comes before it.
    await queries.run('SELECT insert_response($1, $2::text::jsonb)', [
      ACCOUNT,
      responseParameter(response()),
    ]);
  });
  expect(await sweep()).toBe(2);
  expect(await sweep()).toBe(0);
  await expectCounted(['acct_2', ACCOUNT]);
});

test('removes a conversation while both nodes add to it and change it', async () => {
  const conversations = databases.map(
    (database) => new StoredConversations(new PostgresQueries(database)),
  ) as [StoredConversations, StoredConversations];
  const lists = { model: 'm', input: '["in"]', output: '["out"]', shownInput: '[]', shownOutput: '[]' };
  const ids: string[] = [];
  const round = async () => {
    const own = { id: newId('conv_'), keyId: 'key_1', now: NOW };
    const life = { expiresAt: NOW + DAY_MS, until: NOW + DAY_MS };
    const change = { id: own.id, holder: 'req_1', ...life, bytes: 10 };
    ids.push(own.id);
    const [one, two] = conversations;
    const empty = {
      ...own,
      ...life,
      accountId: ACCOUNT,
      createdAt: NOW,
      metadata: '{}',
      stored: 100,
      parts: 0,
    };
    await one.createConversation(empty);
    await one.holdConversation({ ...own, holder: 'req_1', heldUntil: NOW + DAY_MS });
    await Promise.all([
      saved(nodes[0]!, { addition: { ...change, ...lists } }),
      one.addPart({ ...change, part: lists }),
      two.setMetadata({ ...change, metadata: '{"a":"b"}' }),
      ids.length % 2 === 0
        ? two.deleteConversation(own)
        : two.sweepConversations({ now: NOW + DAY_MS, limit: 5 }),
    ]);
  };
  for (let times = 0; times < 20; times++) await Promise.all([round(), round(), round()]);
  const parts = 'SELECT count(*)::integer AS parts FROM conversation_part WHERE conversation_id = ANY ($1)';
  expect(await databases[0]!.first('SELECT count(*)::integer AS turns FROM turn')).toEqual({ turns: 60 });
  for (const id of ids) await conversations[0].deleteConversation({ id, keyId: 'key_1', now: NOW });
  expect(await databases[0]!.first(parts, [ids])).toEqual({ parts: 0 });
  await expectCounted();
}, 60_000);

test('stores texts and ids that Postgres cannot hold as they are', async () => {
  const lone = '\ud800';
  const one = await saved(nodes[0]!, {
    envelope: `{"text":"${lone}\\u0000"}`,
    itemIds: ['msg_\0', `rs_${lone}`],
  });
  expect(await nodes[1]!.loadEnvelope(wanted(one))).toBe('{"text":"\ufffd\\u0000"}');
  expect(await nodes[1]!.findResponseOfItem({ ...wanted(one), id: 'msg_\0' })).toBe(one.id);
  expect(await nodes[1]!.findResponseOfItem({ ...wanted(one), id: `rs_${lone}` })).toBe(one.id);
  expect(await nodes[1]!.loadEnvelope({ ...wanted(one), id: 'resp_\0' })).toBeUndefined();
  expect(await nodes[1]!.deleteResponse({ ...wanted(one), id: 'resp_\0' })).toBe(false);
});

test('splits the whole input of a long conversation whose earlier turns are gone', async () => {
  const items = Array.from(
    { length: 200 },
    (_, index) => `{"role": "user","n":${index},"content":"${'x'.repeat(1_000)}"}`,
  );
  const wholeInput = `[${items.join(', ')}]`;
  const one = await saved(nodes[0]!, { previousId: 'resp_gone', wholeInput });
  const [turn] = await nodes[0]!.loadTurns(wanted(one));
  expect(turn!.input).toBe(`[${items.join(',')}]`);
  expect(await nodes[0]!.countListed(wanted(one))).toBe(200);
  const sections = await nodes[0]!.placeListed(wanted(one), { from: 100, to: 101 });
  expect(sections).toHaveLength(1);
  expect(sections[0]!.bytes).toBeWithin(1, 70_000);
});

test('stores the whole input in one part if Postgres cannot parse it', async () => {
  const depth = 200_000;
  for (const filler of ['', 'x'.repeat(40_000)]) {
    const wholeInput = `["${filler}",${'['.repeat(depth)}${']'.repeat(depth)}]`;
    const one = await saved(nodes[0]!, { previousId: 'resp_gone', wholeInput });
    expect((await nodes[0]!.loadTurns(wanted(one)))[0]!.input).toBe(wholeInput);
  }
  await expectCounted();
});

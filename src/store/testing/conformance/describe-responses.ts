import { describe, expect } from 'bun:test';
import { newId } from '../../../base/lib/ids.ts';
import { DAY_MS } from '../../../base/lib/units.ts';
import type { ListedRange, ResponseLookup } from '../../../inference/responses/response-store.ts';
import { sectionItems } from '../../../inference/responses/section-items.ts';
import type { StoredResponse } from '../../../money/ledger/stored-response.ts';
import { type OpenStore, type StoreTest, storeTest, type TestedStore } from './store-test.ts';
import { textSamples } from './text-samples.ts';

const NOW = Date.UTC(2026, 0, 31);

export function describeResponses(open: OpenStore): void {
  describe('responses', () => {
    const check = storeTest(open);
    checkReading(check);
    checkConversations(check);
    checkItems(check);
    checkListings(check);
    checkEnds(check);
    checkAccountLists(check);
  });
}

function sampleResponse(name: string, fields: Partial<StoredResponse> = {}): StoredResponse {
  const turn = { model: 'm', input: `["${name} asked"]`, output: `["${name} said"]` };
  return {
    id: newId('resp_'),
    keyId: 'key_1',
    createdAt: NOW,
    expiresAt: NOW + DAY_MS,
    envelope: `{"name":"${name}"}`,
    previousId: null,
    turn,
    wholeInput: turn.input,
    itemIds: [],
    ...fields,
  };
}

async function saved(store: TestedStore, name: string, fields: Partial<StoredResponse> = {}) {
  const response = sampleResponse(name, fields);
  await store.saveResponse('acct_1', response);
  return response;
}

const wanted = ({ id, keyId }: StoredResponse, fields: Partial<ResponseLookup> = {}): ResponseLookup => ({
  id,
  keyId,
  now: NOW,
  ...fields,
});

/** Returns the texts of all turns up to a response. */
const said = async (store: TestedStore, response: StoredResponse, now = NOW) =>
  (await store.loadTurns(wanted(response, { now }))).flatMap(({ input, output }) => [
    ...JSON.parse(input),
    ...JSON.parse(output),
  ]);

async function expectGone(store: TestedStore, query: ResponseLookup): Promise<void> {
  expect(await store.loadAnswered(query)).toBeUndefined();
  expect(await store.loadEnvelope(query)).toBeUndefined();
  expect(await store.measureResponse(query)).toBeUndefined();
  expect(await store.measureConversation(query)).toBeUndefined();
  expect(await store.countListed(query)).toBeUndefined();
  expect(await store.loadTurns(query)).toEqual([]);
}

function checkReading(check: StoreTest): void {
  check('returns a response byte for byte, even after a restart', async ({ store, reopen }) => {
    const responses: StoredResponse[] = [];
    for (const text of textSamples)
      responses.push(await saved(store, 'a', { envelope: JSON.stringify(text) }));
    const expectAll = async (opened: TestedStore) => {
      for (const response of responses) {
        const { envelope, turn } = response;
        expect(await opened.loadEnvelope(wanted(response))).toBe(envelope);
        const { model, output } = turn;
        expect(await opened.loadAnswered(wanted(response))).toEqual({ envelope, model, output });
        expect(await opened.measureResponse(wanted(response))).toEqual({
          envelope: Buffer.byteLength(envelope),
          turn: output.length,
        });
      }
    };
    await expectAll(store);
    await expectAll(await reopen());
  });

  check('shows a response to its own key only, until it expires', async ({ store }) => {
    const response = await saved(store, 'a');
    await expectGone(store, wanted(response, { keyId: 'key_2' }));
    await expectGone(store, wanted(response, { id: 'resp_none' }));
    await expectGone(store, wanted(response, { now: NOW + DAY_MS }));
    expect(await store.loadAnswered(wanted(response, { now: NOW + DAY_MS - 1 }))).toBeDefined();
  });
}

function checkConversations(check: StoreTest): void {
  check('adds a response to the conversation that its request holds, in one write', async ({ store }) => {
    const owned = { id: newId('conv_'), keyId: 'key_1', now: NOW };
    const { conversations } = store;
    await conversations.createConversation({
      ...owned,
      accountId: 'acct_1',
      createdAt: NOW,
      expiresAt: NOW + 1_000,
      until: NOW + 2_000,
      metadata: '{}',
      stored: 100,
      parts: 0,
    });
    await conversations.holdConversation({ ...owned, holder: 'req_1', heldUntil: NOW + 1_000 });
    const addition = {
      id: owned.id,
      holder: 'req_1',
      expiresAt: NOW + DAY_MS,
      until: NOW + 2 * DAY_MS,
      model: 'm',
      input: '["a \\ud800 b"]',
      output: '["c"]',
      shownInput: '["a"]',
      shownOutput: '["c"]',
      bytes: 50,
    };
    await saved(store, 'kept', { addition });
    await saved(store, 'late', { addition: { ...addition, holder: 'req_2' } });
    const { id: _, holder: __, expiresAt, until: ___, bytes: ____, ...lists } = addition;
    expect(await conversations.loadParts(owned)).toEqual([{ part: 0, ...lists }]);
    const found = await conversations.findConversation(owned);
    expect(found).toMatchObject({ expiresAt, stored: 150, parts: 1 });
  });

  check('returns the turns of a conversation in order, and counts them', async ({ store }) => {
    const first = await saved(store, 'one');
    const second = await saved(store, 'two', { previousId: first.id });
    const other = await saved(store, 'other', { previousId: first.id });
    const third = await saved(store, 'three', { previousId: second.id });
    expect(await said(store, third)).toEqual(
      ['one', 'two', 'three'].flatMap((name) => [`${name} asked`, `${name} said`]),
    );
    expect(await said(store, other)).toEqual(['one asked', 'one said', 'other asked', 'other said']);
    const size = (await store.measureConversation(wanted(third)))!;
    const lists = ['one', 'two', 'three'].map((name) => `["${name} asked"]["${name} said"]`).join('');
    expect(size).toEqual({ turns: 3, bytes: lists.length });
  });

  check('keeps a turn as long as the turns that continue it', async ({ store }) => {
    const first = await saved(store, 'one');
    const second = await saved(store, 'two', { previousId: first.id, expiresAt: NOW + 2 * DAY_MS });
    const third = await saved(store, 'three', { previousId: second.id, expiresAt: NOW + 3 * DAY_MS });
    await store.sweepResponses({ now: NOW + 2 * DAY_MS, limit: 100 });
    await expectGone(store, wanted(second, { now: NOW + 2 * DAY_MS }));
    expect(await said(store, third, NOW + 2 * DAY_MS)).toHaveLength(6);
    // Turns stay a little longer, so that few continuations write them again.
    await store.sweepResponses({ now: NOW + 4 * DAY_MS, limit: 100 });
    expect(await store.sweepResponses({ now: NOW + 9 * DAY_MS, limit: 100 })).toBe(0);
  });

  check('stores the whole conversation if the continued response is gone', async ({ store }) => {
    const wholeInput = '["one asked","one said","two asked"]';
    const second = await saved(store, 'two', { previousId: 'resp_swept', wholeInput });
    expect(await said(store, second)).toEqual([...JSON.parse(wholeInput), 'two said']);
  });
}

function checkItems(check: StoreTest): void {
  check("finds the newest of a key's responses with an item", async ({ store }) => {
    const itemIds = ['msg_1', 'msg_1', 'rs_1'];
    await saved(store, 'one', { itemIds });
    const newer = await saved(store, 'two', { itemIds, createdAt: NOW + 1 });
    await saved(store, 'three', { itemIds, createdAt: NOW + 2, keyId: 'key_2' });
    const find = (fields: Partial<ResponseLookup>) =>
      store.findResponseOfItem(wanted(newer, { id: 'rs_1', ...fields }));
    expect(await find({})).toBe(newer.id);
    expect(await find({ id: 'rs_2' })).toBeUndefined();
    expect(await find({ keyId: 'key_3' })).toBeUndefined();
    expect(await find({ now: NOW + DAY_MS })).toBeUndefined();
    await store.deleteResponse(wanted(newer));
    expect(await find({})).not.toBe(newer.id);
  });
}

const message = (text: string) => `{"role":"user","content":"${text}"}`;
const thought = '{"type":"reasoning","summary":[]}';

/**
 * Makes a turn with a text of this length in each of its two messages, and with reasoning that listings omit.
 */
function longTurn(name: string, length: number): Partial<StoredResponse> {
  const texts = ['a', 'b'].map((letter) => name + letter.repeat(length));
  const input = `[${texts.map(message).join(', ')}]`;
  const output = `[${[thought, ...texts.map(message)].join(',')}]`;
  const turn = { model: name, input, output };
  return { turn, wholeInput: input, counts: { input: 2, output: 2 } };
}

/** Returns the first characters of the items of a range, and the number of bytes loaded for them. */
async function listed(store: TestedStore, query: ResponseLookup, range: ListedRange) {
  const sections = await store.placeListed(query, range);
  const lists = await Promise.all(sections.map((section) => store.loadSection(section, 'key_1')));
  const items = sections.flatMap((section, index) =>
    sectionItems(lists[index]!, section, { responseId: 'resp_x', ...range }),
  );
  return {
    items: items.map(({ text }) => JSON.parse(text).content[0].text.slice(0, 2)),
    bytes: lists.reduce((sum, list) => sum + list!.length, 0),
    listed: sections.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

function checkListings(check: StoreTest): void {
  for (const length of [1, 2_000, 100_000])
    check(
      `finds the items of a range, each of ${length} characters, and loads little other data`,
      async ({ store }) => {
        const first = await saved(store, '1', longTurn('1', length));
        const second = await saved(store, '2', { ...longTurn('2', length), previousId: first.id });
        const third = await saved(store, '3', { ...longTurn('3', length), previousId: second.id });
        const all = ['1a', '1b', '1a', '1b', '2a', '2b', '2a', '2b', '3a', '3b'];
        expect(await store.countListed(wanted(third))).toBe(all.length);
        expect(await store.countListed(wanted(first))).toBe(2);
        for (let from = 0; from < all.length; from++)
          for (let to = from + 1; to <= all.length; to++) {
            const found = await listed(store, wanted(third), { from, to });
            expect(found.items).toEqual(all.slice(from, to));
            expect(found.listed).toBe(found.bytes);
            expect(found.bytes).toBeLessThan((to - from + 2) * (length + 200));
          }
        expect(await said(store, third)).toHaveLength(15);
      },
    );

  check('counts the items of conversations without a count', async ({ store }) => {
    const { counts, ...uncounted } = longTurn('1', 2_000);
    const first = await saved(store, '1', uncounted);
    const gone = {
      ...uncounted,
      previousId: 'resp_swept',
      wholeInput: `[${message('1x')},${message('1a')}]`,
    };
    expect(await store.countListed(wanted(first))).toBe(2);
    const second = await saved(store, '2', gone);
    expect((await listed(store, wanted(second), { from: 0, to: 2 })).items).toEqual(['1x', '1a']);
  });
}

function checkEnds(check: StoreTest): void {
  check('deletes a response of the key, but keeps a continued turn', async ({ store }) => {
    const first = await saved(store, 'one', { itemIds: ['msg_1'] });
    const second = await saved(store, 'two', { previousId: first.id });
    expect(await store.deleteResponse(wanted(first, { keyId: 'key_2' }))).toBe(false);
    expect(await store.deleteResponse(wanted(first, { now: NOW + DAY_MS }))).toBe(false);
    expect(await store.deleteResponse(wanted(first))).toBe(true);
    expect(await store.deleteResponse(wanted(first))).toBe(false);
    await expectGone(store, wanted(first));
    expect(await said(store, second)).toHaveLength(4);
  });

  check('sweeps only expired responses, up to the limit', async ({ store }) => {
    for (const name of ['one', 'two', 'three']) await saved(store, name);
    const later = await saved(store, 'later', { expiresAt: NOW + 2 * DAY_MS });
    const sweep = (limit: number) => store.sweepResponses({ now: NOW + DAY_MS, limit });
    expect(await store.sweepResponses({ now: NOW, limit: 10 })).toBe(0);
    expect([await sweep(2), await sweep(2), await sweep(2)]).toEqual([4, 2, 0]);
    expect(await said(store, later, NOW + DAY_MS)).toHaveLength(2);
  });
}

function checkAccountLists(check: StoreTest): void {
  check('lists the responses of all keys of an account, newest first', async ({ store }) => {
    const first = await saved(store, 'a', { id: 'resp_b' });
    const same = await saved(store, 'b', { id: 'resp_a', keyId: 'key_2' });
    const last = await saved(store, 'c', { id: 'resp_0', createdAt: NOW + 1, previousId: first.id });
    await saved(store, 'd', { expiresAt: NOW });
    await store.saveResponse('acct_2', sampleResponse('e', { id: 'resp_other' }));
    const list = async (fields: object) => {
      const page = await store.listResponses({ accountId: 'acct_1', now: NOW, limit: 10, ...fields });
      return page && [page.items.map(({ id }) => id), page.hasMore];
    };
    expect(await list({})).toEqual([[last.id, first.id, same.id], false]);
    expect(await list({ limit: 2 })).toEqual([[last.id, first.id], true]);
    expect(await list({ after: first.id })).toEqual([[same.id], false]);
    expect(await list({ accountId: 'acct_2' })).toEqual([['resp_other'], false]);
    expect(await list({ after: 'resp_other' })).toBeUndefined();
    expect(await list({ after: 'resp_\0' })).toBeUndefined();
  });

  check(
    'finds a response of any key of an account, with its place in the conversation',
    async ({ store }) => {
      const first = await saved(store, 'a');
      const next = await saved(store, 'b', { previousId: first.id, keyId: 'key_2', createdAt: NOW + 1 });
      const find = (accountId: string, id: string, now = NOW) =>
        store.findListedResponse({ accountId, id, now });
      const bytes = await store.storedBytes('acct_1');
      const one = await find('acct_1', first.id);
      const two = await find('acct_1', next.id);
      expect(one).toMatchObject({ keyId: 'key_1', model: 'm', previousId: null, turns: 1, createdAt: NOW });
      expect(two).toMatchObject({ keyId: 'key_2', previousId: first.id, turns: 2, expiresAt: NOW + DAY_MS });
      expect(one!.bytes + two!.bytes).toBe(bytes);
      expect(await find('acct_2', first.id)).toBeUndefined();
      expect(await find('acct_1', first.id, NOW + DAY_MS)).toBeUndefined();
    },
  );
}

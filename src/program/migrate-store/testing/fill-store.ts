import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newId } from '../../../base/lib/ids.ts';
import { DAY_MS } from '../../../base/lib/units.ts';
import type { PeopleRow } from '../../../customers/people/people-store.ts';
import type { PeopleTable } from '../../../customers/people/people-tables.ts';
import type { StoredResponse, StoredTurn } from '../../../money/ledger/stored-response.ts';
import { type VerifiedLedger, verifyLedger } from '../../../money/ledger/verify-ledger.ts';
import { openSqliteStore } from '../../../store/sqlite/open-sqlite-store.ts';
import { SqliteConnection } from '../../../store/sqlite/sqlite-connection.ts';
import type { SqliteStore } from '../../../store/sqlite/sqlite-store.ts';
import { claimed, madeBatch } from '../../../store/testing/conformance/sample-batches.ts';
import { budgetAudit, sampleBudget } from '../../../store/testing/conformance/sample-budget.ts';
import {
  heldBy,
  sampleEntry,
  samplePosting,
  sampleTime,
} from '../../../store/testing/conformance/sample-ledger.ts';
import {
  sampleAccount,
  sampleAudit,
  sampleKey,
  sampleToken,
} from '../../../store/testing/conformance/sample-records.ts';
import { organizationBounds } from '../../../watch/alerts/alert-bounds.ts';
import { noSums } from '../../../watch/traffic/traffic-figures.ts';

export const NOW = Date.UTC(2026, 0, 31);
const MONTH_MS = 31 * DAY_MS;

export type FilledStore = {
  accountId: string;
  keyHashes: string[];
  responses: StoredResponse[];
  turns: Record<string, StoredTurn[]>;
  storedBytes: number;
  verified: VerifiedLedger;
};

/** Both items of the second batch are at a provider. */
const SUBMITTED = `
  INSERT INTO native_submission (id, batch, provider, wire, upstream_model, upstream_id, mark, sent_at, size)
  VALUES (9, 2, 'one', 'openai-chat', 'm', 'up', 'marked', 5, 2);
  UPDATE batch_item SET submission = 9 WHERE batch = 2;`;

/** Fills every table of a data directory. */
export async function fillStore(directory: string): Promise<FilledStore> {
  const store = await openSqliteStore({ directory });
  const account = sampleAccount({ name: 'Zoë \0 quote \' double "' });
  await store.createAccount(account, sampleAudit());
  await store.createAccount(sampleAccount(), sampleAudit());
  const keyHashes = await fillKeys(store, account.id);
  await fillOperation(store, account.id);
  await fillForms(store, account.id);
  await fillPeople(store, account.id);
  await fillLedger(store, account.id);
  const responses = await fillResponses(store, account.id);
  await fillBatches(store, account.id);
  await fillConversations(store, account.id);
  const turns: Record<string, StoredTurn[]> = {};
  for (const { id, keyId } of responses) turns[id] = await store.loadTurns({ id, keyId, now: NOW });
  const verified = await verifyLedger(store.ledger);
  const storedBytes = store.storedBytes(account.id);
  await store.close();
  const connection = new SqliteConnection(join(directory, 'tollgate.db'));
  connection.script(SUBMITTED);
  connection.close();
  writeFileSync(join(directory, 'admin-token'), 'tga_sample_token\n');
  return { accountId: account.id, keyHashes, responses, turns, storedBytes, verified };
}

async function fillKeys(store: SqliteStore, accountId: string): Promise<string[]> {
  const key = sampleKey(accountId, { id: newId('key_'), allowedModels: ['a', 'b'], monthlyCapUsd: 12.5 });
  await store.createKey(key, sampleAudit());
  const hashes = ['1'.repeat(64), '2'.repeat(64)];
  await store.saveKeyUses([{ keyId: key.id, at: NOW }]);
  const second = { ...key, hash: hashes[0]!, previous: { hash: key.hash, endsAt: NOW } };
  const third = { ...key, hash: hashes[1]!, previous: { hash: hashes[0]!, endsAt: NOW }, version: 2 };
  for (const rotated of [second, third])
    if ((await store.saveKey(rotated, sampleAudit())) !== 'saved') throw new Error('the key is not rotated');
  const other = sampleKey(accountId, { limits: { requestsPerMin: 1, tokensPerMin: null, concurrent: null } });
  await store.createKey(other, sampleAudit());
  await store.createToken(sampleToken(), sampleAudit());
  return [third.hash, other.hash];
}

/** Adds what people make on pages. */
async function fillForms(store: SqliteStore, accountId: string): Promise<void> {
  await store.settings.addSetting(
    {
      kind: 'provider',
      id: 'local',
      revision: 3,
      settings: '{"wire":"openai-chat"}',
      secrets: 'c2VhbGVk',
      secretsSetAt: 2,
      changedAt: 4,
    },
    sampleAudit(),
  );
  await store.drains.setDrained('local', 5);
  await store.prompts.addPrompt(
    {
      id: 'prompt_1',
      accountId,
      name: 'Greeting',
      content: '{"turns":[]}',
      revision: 2,
      changedAt: 1,
      changedBy: 'ada@example.com',
    },
    200,
  );
}

async function fillOperation(store: SqliteStore, accountId: string): Promise<void> {
  const group = {
    accountId,
    endedAt: 1_000,
    firstId: 'req_1',
    lastId: 'req_5',
    count: 5,
    lines: '{"a":"Zoë"}',
  };
  for (let index = 0; index < 50; index++) await store.addRequests([{ ...group, endedAt: index }], 1_000);
  const id = newId('alrt_');
  const delivery = { alertId: id, webhook: 'wh', host: 'https://a.example', state: 'waiting' as const };
  const rest = { attempts: 2, nextAt: 5, endedAt: null, status: 500, error: 'no' };
  await store.addAlert(
    { id, at: 1, event: 'cap_80', body: '{}', deliveries: [{ ...delivery, ...rest }] },
    { owner: accountId, bounds: organizationBounds, occasion: { name: 'one', until: NOW + DAY_MS } },
  );
  await store.saveCreditMark(accountId, 7);
  await store.payloads.setPayloadLogging(accountId, true);
  await store.payloads.addPayloads([{ requestId: 'req_1', accountId, at: 1, content: '{"a":"Zoë"}' }], 10);
  await store.billing.addBilling({
    kind: 'customer',
    id: accountId,
    accountId,
    reference: 'cus_1',
    dueAt: 9,
    createdAt: 1,
    version: 3,
    body: {
      subscriptionId: 'sub_1',
      status: 'active',
      plan: 'pro',
      periodStart: 5,
      graceUntil: null,
      isSuspended: false,
    },
  });
  const sum = { accountId, hour: 5, key: 'key_1', model: 'm', user: 'Zoë', code: 'invalid_json', errors: 1 };
  const figures = { requests: 1, inputTokens: 2, cachedInputTokens: 1, outputTokens: 3, microcredits: 4 };
  await store.usage.addRequestSums(
    [
      { ...sum, ...figures },
      { ...sum, ...figures, hour: 30 },
    ],
    10,
  );
  const place = { provider: 'p', model: 'm', account: accountId, key: 'key_1', status: '2xx' };
  await store.milestones.noteMilestone('answer', 1);
  await store.traffic.saveTraffic([
    {
      step: 'hour',
      cut: 'details',
      at: 5,
      part: 1,
      ...noSums(),
      place: { ...place, node: 'node_1', source: 'api' },
    },
  ]);
  const refusal = { hour: 5, accountId, code: 'unknown_model', cause: 'unknown_model', node: 'node_1' };
  await store.refusals.saveRefusals([{ ...refusal, part: 1, count: 2, firstAt: 1, lastAt: 2 }]);
  const fault = {
    id: 'flt_1',
    provider: 'p',
    cause: 'failing',
    model: 'm',
    status: 500,
    message: 'Zoë',
  } as const;
  const times = { firstAt: 1, lastAt: 3, wellAt: null, seenAt: null, recent: [1, 3] };
  await store.faults.saveFaults([{ ...fault, ...times, failures: 2, hidden: 1, isRaised: false }]);
}

async function fillPeople({ people }: SqliteStore, accountId: string): Promise<void> {
  const times = { created_at: 1, updated_at: 2 };
  const person = { id: 'usr_1', email: 'ada@example.com', name: 'Ada', email_verified: true, image: null };
  const token = { id: 'ctk_1', hash: 'r', key_id: 'key_1', account_id: accountId, person_id: 'usr_1' };
  const rows: readonly [PeopleTable, PeopleRow][] = [
    ['person', { ...person, two_factor_enabled: true, ...times }],
    ['person_session', { id: 'ses_1', person_id: 'usr_1', token: 't', expires_at: NOW + DAY_MS, ...times }],
    ['sign_in', { id: 'sin_1', person_id: 'usr_1', provider: 'credential', subject: 'usr_1', ...times }],
    ['sign_in_token', { id: 'tok_1', identifier: 'i', value: 'v', expires_at: NOW + DAY_MS, ...times }],
    ['second_factor', { id: 'fac_1', person_id: 'usr_1', secret: 's', backup_codes: 'b', verified: true }],
    ['membership', { account_id: accountId, person_id: 'usr_1', role: 'owner', created_at: 1 }],
    ['operator_role', { person_id: 'usr_1', role: 'owner', created_at: 1 }],
    ['link_request', { id: 'lnk_1', email: 'zoe@example.com', kind: 'invitation', created_at: 1 }],
    ['people_secret', { name: 'cookies', value: 'secret' }],
    [
      'device_sign_in',
      {
        id: 'dsi_1',
        device_hash: 'd',
        user_hash: 'u',
        status: 'pending',
        created_at: 1,
        expires_at: NOW + DAY_MS,
      },
    ],
    ['client_token', { ...token, created_at: 1, expires_at: NOW + DAY_MS, kept_until: NOW + DAY_MS }],
  ];
  const invitation = { id: 'inv_1', account_id: accountId, email: 'zoe@example.com', role: 'viewer' };
  const rest = { token_hash: 'h', invited_by: 'ada@example.com', created_at: 1, expires_at: NOW + DAY_MS };
  const writes = [...rows, ['invitation', { ...invitation, ...rest }] as const].map(
    ([table, row]) => ({ kind: 'insert', table, row }) as const,
  );
  if ((await people.changePeople({ writes })) === 'conflict') throw new Error('people are not stored');
}

async function fillLedger(store: SqliteStore, accountId: string): Promise<void> {
  const { ledger } = store;
  const capped = { accountId, keyCapMicrocredits: 500 };
  const given = Array.from({ length: 700 }, (_, index) =>
    ledger.give(sampleEntry({ accountId, microcredits: 10 + index })),
  );
  await Promise.all(given);
  const worst = { least: 100, most: 100 };
  await ledger.post(samplePosting(await heldBy(ledger, { ...capped, pays: 'purchased', worst }), 100));
  const counted = { accountId, scope: 'key', window: 'day', kind: 'sliding' } as const;
  await ledger.budgets.createBudget(sampleBudget(counted), budgetAudit, 10);
  await ledger.archiveEntries({ before: sampleTime + 1 });
  for (let index = 0; index < 20; index++) {
    const at = sampleTime + MONTH_MS + index;
    await ledger.post(samplePosting(await heldBy(ledger, { ...capped, at, worst }), index % 7));
    await ledger.give(sampleEntry({ accountId: 'acct_other', at, microcredits: index + 1 }));
  }
  const over = await heldBy(ledger, { ...capped, at: sampleTime + MONTH_MS, worst });
  await ledger.post(samplePosting(over, 900));
  const small = { ...capped, keyId: 'key_small', keyCapMicrocredits: 60, at: sampleTime + MONTH_MS };
  const short = await heldBy(ledger, { ...small, pays: 'purchased', worst: { least: 1, most: 50 } });
  await ledger.post(samplePosting(short, 90));
}

async function fillResponses(store: SqliteStore, accountId: string): Promise<StoredResponse[]> {
  const responses: StoredResponse[] = [];
  for (let index = 0; index < 45; index++) {
    const long = index % 9 === 0 ? 'x'.repeat(100_000) : 'x';
    const list = JSON.stringify([{ role: 'user', content: `${index} 北京 ${long}` }]);
    const response: StoredResponse = {
      id: newId('resp_'),
      keyId: 'key_1',
      createdAt: NOW,
      expiresAt: NOW + DAY_MS + index * 1_000,
      envelope: `{"n":${index},"text":"\\u0000"}`,
      previousId: responses.at(-3)?.id ?? null,
      turn: { model: 'm', input: list, output: list },
      wholeInput: list,
      itemIds: [`msg_${index}`],
    };
    await store.saveResponse(accountId, response);
    responses.push(response);
  }
  return responses;
}

/**
 * A conversation with a part, and responses in the background: an unfinished one with frames, and one that
 * has ended.
 */
async function fillConversations(store: SqliteStore, accountId: string): Promise<void> {
  const own = { keyId: 'key_1', accountId, createdAt: NOW, expiresAt: NOW + DAY_MS };
  const conversation = { ...own, id: 'conv_1', metadata: '{"topic":"Zoë"}', stored: 17, parts: 0 };
  await store.conversations.createConversation({ ...conversation, until: NOW + DAY_MS });
  const held = { id: 'conv_1', keyId: 'key_1', now: NOW, holder: 'req_1', heldUntil: NOW + DAY_MS };
  await store.conversations.holdConversation(held);
  const part = { model: 'm', input: '[1]', output: '["北京"]', shownInput: '[2]', shownOutput: '[3]' };
  const change = { id: 'conv_1', holder: 'req_1', expiresAt: NOW + DAY_MS, until: NOW + DAY_MS };
  if (!(await store.conversations.addPart({ ...change, part, bytes: 20 })))
    throw new Error('the part is not stored');
  for (const id of ['resp_waits', 'resp_ended']) {
    const response = {
      ...own,
      id,
      requestId: `req_${id}`,
      headers: '{}',
      body: '{"input":"Zoë"}',
      envelope: '{}',
    };
    const state = { status: 'in_progress', stored: 30, attempts: 1, isCanceled: false } as const;
    await store.background.createBackground({
      ...response,
      ...state,
      until: NOW + DAY_MS,
      holder: 'node_1',
      heldUntil: NOW + DAY_MS,
    });
    const frames = { lastNumber: 2, frames: 'data: {"text":"Zoë"}\n\n' };
    const one = { id, holder: 'node_1' };
    await store.background.addFrames(one, { ...frames, status: 'in_progress', envelope: '{"n":1}' });
  }
  const end = { status: 'completed', envelope: '{"n":2}', stored: 40 } as const;
  const ended = { id: 'resp_ended', holder: 'node_1' };
  await store.background.endBackground(ended, { ...end, expiresAt: NOW + DAY_MS, until: NOW + DAY_MS });
}

async function fillBatches({ batches, ledger }: SqliteStore, accountId: string): Promise<void> {
  const batch = await madeBatch(batches, { accountId, size: 3 });
  const [first] = await claimed(batches, batch, { limit: 1 });
  await batches.finishItem({ lease: first!.lease, result: 'succeeded', line: '{"done":true}' });
  const native = await madeBatch(batches, { accountId, isNative: true, size: 2 });
  const items = await claimed(batches, native);
  const worst = { least: 50, most: 50 };
  for (const { requestId, lease } of items) {
    const hold = await heldBy(ledger, { accountId, requestId, pays: 'purchased', worst });
    const away = { batch: lease.batch, number: lease.number };
    await ledger.checkpoint([{ posting: samplePosting(hold, 0), produced: false, away }]);
  }
  const key = { accountId, collection: 'chat', key: 'k', token: 't', bodyHash: 'h' };
  await batches.takeKey({ ...key, now: NOW, crashedAt: NOW + 1_000, expiresAt: NOW + 10_000 });
}

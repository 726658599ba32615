import { expect } from 'bun:test';
import { bearer, chatBody, type Json } from '../../support/call.ts';
import type { Expected } from './kept-release.ts';
import { IDEMPOTENCY_KEY, type Populated } from './populate.ts';
import { type ResourceViews, readViews } from './read-views.ts';
import type { AnyServer } from './start-release.ts';

type Entries = { id: string; kind: string; at: string; microcredits: number; receipt: Json }[];

/** Finds entries of requests that the kill interrupted, and of batch items that were charged after it. */
const isOfTheStart = (killedAt: number) => (entry: Entries[number]) =>
  entry.receipt?.outcome === 'recovered' || Date.parse(entry.at) > killedAt;

/** Later versions may show more members, and the results of a batch have the address of the server. */
const withoutAddress = ({ results_url, ...view }: Json): Json => view;

/** Items of batches use their key after the kill too. */
const withoutUse = ({ last_used_at, ...key }: Json): Json => key;

/** Items that the kill interrupted end at different times, in any order. */
const sameInAnyOrder = (values: Json[]): string[] => values.map((value) => JSON.stringify(value)).sort();

function expectEntries(shown: Entries, { entries, killedAt }: { entries: Entries; killedAt: number }): void {
  const isNew = isOfTheStart(killedAt);
  expect(shown.filter((entry) => !isNew(entry))).toMatchObject(entries.filter((entry) => !isNew(entry)));
  const factsOf = ({ kind, microcredits, receipt }: Entries[number]) => [
    kind,
    microcredits,
    receipt?.outcome,
  ];
  expect(sameInAnyOrder(shown.filter(isNew).map(factsOf))).toEqual(
    sameInAnyOrder(entries.filter(isNew).map(factsOf)),
  );
  const recovered = (all: Entries) =>
    all.filter(({ receipt }) => receipt?.outcome === 'recovered').map(({ id }) => id);
  expect(recovered(shown).sort()).toEqual(recovered(entries).sort());
}

function expectAccounts(shown: Json[], expected: ResourceViews['accounts'], killedAt: number): void {
  for (const [index, { account, keys, entries }] of expected.entries()) {
    expect(shown[index].account).toMatchObject(account);
    expect(shown[index].keys).toMatchObject(keys.map(withoutUse));
    expectEntries(shown[index].entries, { entries, killedAt });
  }
}

function expectBatches(shown: Json[], expected: Json[]): void {
  for (const [index, { view, results }] of expected.entries()) {
    const { ended_at, ...rest } = withoutAddress(view);
    expect(shown[index].view).toMatchObject(rest);
    const byItem = ({ custom_id }: Json, other: Json) => custom_id.localeCompare(other.custom_id);
    const typesOf = (lines: Json[]) =>
      lines.sort(byItem).map(({ custom_id, result }) => [custom_id, result.type]);
    expect(typesOf(shown[index].results)).toEqual(typesOf(results));
  }
}

/** Expects that a server shows everything that the release has shown, and that it accepts the same keys. */
export async function expectKept(
  server: AnyServer,
  { made, shown: expected, acknowledged, killedAt }: Expected,
): Promise<void> {
  const shown = await readViews(server, made);
  expectAccounts(shown.accounts, expected.accounts, killedAt);
  const entries: Entries = shown.accounts.flatMap((account) => account.entries);
  const charged = new Set(entries.map(({ id }) => id.replace('ent_', 'req_')));
  expect(acknowledged.filter((id) => !charged.has(id))).toEqual([]);
  expect(shown.responses).toMatchObject(expected.responses);
  expectBatches(shown.batches, expected.batches);
  expect(shown.sessions).toMatchObject(expected.sessions);
  const audited = new Set(shown.audit.map(({ id }) => id));
  expect(expected.audit.filter(({ id }) => !audited.has(id))).toEqual([]);
  expect((await server.admin('GET', '/ledger/verify')).body.faults).toEqual([]);
  await expectKeys(server, made);
}

/** Sends requests, so it comes last: they change balances. */
async function expectKeys(server: AnyServer, { keys, repeated, responses }: Populated): Promise<void> {
  const ask = (key: string) =>
    server.call('/v1/chat/completions', { headers: bearer(key), body: chatBody('able') });
  for (const key of keys.accepted) expect((await ask(key)).status).toBe(200);
  for (const key of keys.revoked) expect([401, 403]).toContain((await ask(key)).status);
  const again = await server.call('/v1/batches', {
    headers: { ...bearer(repeated.key), 'idempotency-key': IDEMPOTENCY_KEY },
    body: repeated.body,
  });
  expect({ status: again.status, id: again.body.id }).toEqual({ status: 200, id: repeated.id });
  const { id, key } = responses.at(-1)!;
  const next = { model: 'able', input: 'And the shortest?', previous_response_id: id };
  expect((await server.call('/v1/responses', { headers: bearer(key), body: next })).status).toBe(200);
}

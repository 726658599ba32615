import { callDashboard } from '../../dashboard/sign-in.ts';
import { bearer, type Json } from '../../support/call.ts';
import { waitFor } from '../../support/wait-for.ts';
import type { Populated } from './populate.ts';
import { type AnyServer, authOf, bodyOf } from './start-release.ts';

const PAGE = 500;
const BATCH_MS = 60_000;

/** Reads everything that a list of the admin API has. */
async function readList(server: AnyServer, path: string): Promise<Json[]> {
  const all: Json[] = [];
  for (;;) {
    const after = all.length === 0 ? '' : `&after=${all.at(-1).id}`;
    const { data, has_more } = bodyOf(await server.admin('GET', `${path}?limit=${PAGE}${after}`));
    all.push(...data);
    if (!has_more) return all;
  }
}

async function readAccountViews(server: AnyServer, id: string): Promise<Json> {
  return {
    account: bodyOf(await server.admin('GET', `/accounts/${id}`)),
    keys: bodyOf(await server.admin('GET', `/accounts/${id}/keys`)).data,
    entries: await readList(server, `/accounts/${id}/ledger`),
  };
}

/** Waits until the batch has ended. The work that the kill interrupted is then done. */
async function readBatchViews(
  server: AnyServer,
  { path, key }: { path: string; key: string },
): Promise<Json> {
  const headers = authOf(path, key);
  await waitFor(
    async () => bodyOf(await server.call(path, { headers })).processing_status === 'ended',
    BATCH_MS,
  );
  const view = bodyOf(await server.call(path, { headers }));
  const { text } = await server.call(`${path}/results`, { headers });
  const lines = text.trimEnd().split('\n');
  return { view, results: lines.map((line) => JSON.parse(line)) };
}

export type ResourceViews = {
  accounts: Json[];
  responses: Json[];
  batches: Json[];
  sessions: Json[];
  audit: Json[];
};

/** Reads the populated resources as a server shows them. A part that the version does not have is empty. */
export async function readViews(server: AnyServer, made: Populated): Promise<ResourceViews> {
  const batches: Json[] = [];
  for (const batch of made.batches) batches.push(await readBatchViews(server, batch));
  const accounts: Json[] = [];
  for (const { id } of made.accounts) accounts.push(await readAccountViews(server, id));
  const responses: Json[] = [];
  for (const { id, key } of made.responses) {
    const headers = bearer(key);
    const response = bodyOf(await server.call(`/v1/responses/${id}`, { headers }));
    const items = bodyOf(await server.call(`/v1/responses/${id}/input_items`, { headers }));
    responses.push({ response, items: items.data });
  }
  const sessions: Json[] = [];
  for (const { cookie } of made.sessions)
    sessions.push(bodyOf(await callDashboard(server, '/session', { headers: { cookie } })));
  const audit = await readList(server, '/audit');
  return { accounts, responses, batches, sessions, audit };
}

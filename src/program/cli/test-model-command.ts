import { usdOf } from '../../money/ledger/microcredits.ts';
import { askAdmin, callAdmin, callServer, errorMessageOf } from './admin-client.ts';
import { coloured } from './colour.ts';
import type { Run } from './command.ts';
import { CommandFailure } from './command-failure.ts';
import { dataDirectory } from './data-directory.ts';
import { findAccountNamed } from './find-account.ts';
import { formatFields } from './format-table.ts';
import type { Invocation } from './invocation.ts';
import { printJson } from './print-answer.ts';
import { namesServer, readLine, serverAccess } from './server-access.ts';

/** The time limit of the request. A model that reasons can think for minutes. */
const TIMEOUT_MS = 300_000;
/** The record and the ledger entry of a request are written within a few seconds of its end. */
const RECORD_WAIT_MS = 8_000;
/** The output of the test. Some vendors refuse fewer tokens. */
const OUTPUT_TOKENS = 16;

/**
 * Sends one small request to a model through the gateway, and shows the model that
 * answered, the time and the cost.
 */
export const testModel: Run = async (invocation) => {
  const params = { id: invocation.positional('ID')! };
  const { id, kind } = await callAdmin(invocation, 'GET /catalog/{id*}', { params });
  const outcome = await withKey(invocation, async (key) => {
    const reply = await send(invocation, { id, kind, key });
    return { ...reply, ...(await accountOf(invocation, reply)) };
  });
  const isFine = outcome.status === 200;
  if (invocation.flag('json')) printJson(invocation, { ok: isFine, model: id, ...outcome });
  else {
    const { terminal } = invocation;
    terminal.print(isFine ? coloured(terminal, 'green', 'ok') : coloured(terminal, 'red', 'FAILED'));
    terminal.print(formatFields({ model: id, ...outcome }));
  }
  return isFine ? 0 : 1;
};

/**
 * Takes the key of the command line or the environment, or makes one for the account, or takes the first key.
 */
async function withKey<T>(invocation: Invocation, work: (key: string) => Promise<T>): Promise<T> {
  const ownKey = invocation.text('key') ?? (invocation.terminal.environment.TOLLGATE_API_KEY || undefined);
  const account = invocation.text('account');
  if (ownKey !== undefined && account === undefined) return work(ownKey);
  if (account !== undefined) return withOwnKey(invocation, account, work);
  const first = namesServer(invocation) ? undefined : readLine(dataDirectory(invocation), 'first-key');
  if (first !== undefined) return work(first);
  throw new CommandFailure(
    'no API key: pass one with --key or TOLLGATE_API_KEY, or an account that pays with --account',
  );
}

/** Makes a key, which is revoked at the end. */
async function withOwnKey<T>(invocation: Invocation, account: string, work: (key: string) => Promise<T>) {
  const { id, key } = await callAdmin(invocation, 'POST /accounts/{id}/keys', {
    params: { id: await findAccountNamed(invocation, account) },
    body: { name: 'models test' },
  });
  try {
    return await work(key);
  } finally {
    await callAdmin(invocation, 'DELETE /keys/{id}', { params: { id } });
  }
}

/** A small request for each kind of model. Others get a conversation. */
const requests: Readonly<Record<string, { path: string; fields: object }>> = {
  embedding: { path: '/v1/embeddings', fields: { input: 'ping' } },
  image: { path: '/v1/images/generations', fields: { prompt: 'A dot' } },
  speech: { path: '/v1/audio/speech', fields: { input: 'OK', voice: 'alloy' } },
  rerank: { path: '/v1/rerank', fields: { query: 'ping', documents: ['pong'] } },
  moderation: { path: '/v1/moderations', fields: { input: 'ping' } },
};

function requestOf(id: string, kind: string) {
  const small = requests[kind];
  if (small) return { path: small.path, body: { model: id, ...small.fields } };
  if (kind === 'transcription')
    throw new CommandFailure(`${id} transcribes files; send one to /v1/audio/transcriptions`);
  return {
    path: '/v1/chat/completions',
    body: {
      model: id,
      messages: [{ role: 'user', content: 'Reply with the word OK.' }],
      max_completion_tokens: OUTPUT_TOKENS,
    },
  };
}

async function send(invocation: Invocation, { id, kind, key }: { id: string; kind: string; key: string }) {
  const { path, body } = requestOf(id, kind);
  const startedAt = performance.now();
  const { address } = serverAccess(invocation);
  const { status, headers, answer } = await callServer(
    { address, token: key },
    { method: 'POST', path, body, timeoutMs: TIMEOUT_MS },
  );
  return {
    status,
    ms: Math.round(performance.now() - startedAt),
    answer: textIn(answer),
    error: status === 200 ? null : (errorMessageOf(answer) ?? null),
    simulated: headerOf(headers, 'simulated') === 'true',
    request_id: headerOf(headers, 'request-id'),
  };
}

type ChatAnswer = { choices?: { message?: { content?: string } }[] };

const textIn = (answer: unknown): string | null =>
  (answer as ChatAnswer | null | undefined)?.choices?.[0]?.message?.content ?? null;

/** Returns a header of the gateway. Its name contains the brand of the server. */
function headerOf(headers: Headers, name: string): string | null {
  for (const [header, value] of headers)
    if (new RegExp(`^x-[a-z0-9]+-${name}$`).test(header) && header !== `x-${name}`) return value;
  return null;
}

/** Reads what the server has recorded of the request. An unrecorded value is null. */
async function accountOf(
  invocation: Invocation,
  { request_id, status }: { request_id: string | null; status: number },
) {
  const access = serverAccess(invocation);
  const params = { id: request_id ?? '' };
  // A request whose key is refused belongs to no account and is not recorded.
  const isRecorded = request_id !== null && status !== 401;
  const request = isRecorded
    ? await recorded(() => askAdmin(access, 'GET /requests/{id}', { params }))
    : undefined;
  // A failed request costs nothing and has no entry.
  const entry =
    isRecorded && status === 200
      ? await recorded(() => askAdmin(access, 'GET /ledger/entries/{id}', { params }))
      : undefined;
  const attempt = request?.attempts?.at(-1);
  return {
    served_model: request?.served_model ?? null,
    provider: request?.provider ?? null,
    provider_model: attempt?.model ?? null,
    provider_error: attempt?.error?.message ?? null,
    attempts: request?.attempts?.length ?? null,
    input_tokens: request?.input_tokens ?? null,
    output_tokens: request?.output_tokens ?? null,
    microcredits: entry?.microcredits ?? null,
    cost_usd: entry === undefined ? null : usdOf(entry.microcredits),
  };
}

/** Reads a record, which is written after the answer. Returns undefined if there is none in time. */
async function recorded<Row>(read: () => Promise<Row>): Promise<Row | undefined> {
  for (const until = Date.now() + RECORD_WAIT_MS; ; ) {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof CommandFailure) || error.status === undefined) throw error;
    }
    if (Date.now() > until) return undefined;
    await Bun.sleep(200);
  }
}

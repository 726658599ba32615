import { setDefaultTimeout } from 'bun:test';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { type Answer, bearer, type CallOptions, call, chatBody, type Json } from './call.ts';
import { copyEmptyDatabase } from './copy-empty-database.ts';
import { databaseOf, dropDatabaseOf, isOnPostgres } from './postgres/database-of.ts';
import { spawnProgram } from './spawn-program.ts';
import { waitFor } from './wait-for.ts';

/** A configuration as an object, or as the text of a file. */
export type TestConfig = Record<string, unknown> | string;

export type TestServerOptions = {
  config?: TestConfig;
  environment?: Record<string, string>;
  /** Options in addition to `--port 0`, the data directory and the configuration. */
  options?: readonly string[];
  /** True for a start without options. The environment then sets everything. */
  bare?: boolean;
  /** A directory that outlives the server. */
  dataDirectory?: string;
  /** A script that runs before the program. */
  preload?: string;
  /** The limit of file descriptors. */
  descriptors?: number;
  /** True if the program runs on a terminal, where the start prints the key and the curl line. */
  terminal?: boolean;
  /** The admin token of a node that has no file with it, because another node made it. */
  adminToken?: string;
};

export type CreatedKey = { account: string; id: string; key: string };

/** Tests continue as soon as a condition holds. These timeouts only end a failed wait on a busy machine. */
const TEST_TIMEOUT_MS = 60_000;
const START_TIMEOUT_MS = 30_000;
/** The line of the log, or on a terminal the rows after the headline. */
const IS_READY = /"event":"ready"|Tollgate is ready\.\n\n[\s\S]*\n\n/;

/** Tests ask the dashboard every 10 ms, which no person does. */
const wideWindows = { requests_per_min: 1_000_000, network_requests_per_min: 1_000_000 };

/**
 * Shortens the usage grace of departed clients and the notice of a drain, because no test can wait for the
 * defaults. A busy machine admits a thousand requests at once on Postgres slowly.
 */
const forTests = (config: Record<string, unknown>) => ({
  ...config,
  server: { drain_notice_s: 0, ...(config.server as object | undefined) },
  limits: { usage_grace_s: 0.3, ...(config.limits as object | undefined) },
  dashboard: { ...wideWindows, ...(config.dashboard as object | undefined) },
  ...(isOnPostgres && { store: { admit_timeout_ms: 4_000, ...(config.store as object | undefined) } }),
});

/** Starts the real program on a free port, with its own directory that is removed at the stop. */
export async function startServer({
  config,
  environment,
  options = [],
  bare = false,
  preload,
  descriptors,
  terminal,
  ...given
}: TestServerOptions = {}) {
  setDefaultTimeout(TEST_TIMEOUT_MS);
  const directory = mkdtempSync(join(tmpdir(), 'tollgate-test-'));
  const dataDirectory = given.dataDirectory ?? join(directory, 'data');
  const configFile = join(directory, 'tollgate.yaml');
  const configure = (next: TestConfig) =>
    writeFileSync(configFile, typeof next === 'string' ? next : stringify(forTests(next)));
  if (config !== undefined) configure(config);
  const usual = [
    '--port',
    '0',
    '--data',
    dataDirectory,
    ...(config === undefined ? [] : ['--config', configFile]),
  ];
  // A log of warnings or errors alone has no line `ready`.
  const logsReady = typeof config === 'string' || !['warn', 'error'].includes((config as Json)?.log?.level);
  const isReady = () => (logsReady ? IS_READY.test(program.stdout()) : read('address') !== '');
  rmSync(join(dataDirectory, 'address'), { force: true });
  const database = bare ? undefined : await databaseOf(dataDirectory);
  // A start on a terminal is the first one of a person, who has no data directory yet.
  if (!bare && !terminal && database === undefined && given.dataDirectory === undefined)
    copyEmptyDatabase(dataDirectory);
  const variables = { ...(database !== undefined && { DATABASE_URL: database }), ...environment };
  const program = spawnProgram(['serve', ...(bare ? [] : usual), ...options], variables, {
    preload,
    descriptors,
    terminal,
  });

  /**
   * SIGINT spares the notice of SIGTERM, which a file without `drain_notice_s` would make long. Returns 0 if
   * the stop was orderly.
   */
  async function stop(): Promise<number> {
    program.signal('SIGINT');
    const code = await program.exited;
    if (given.dataDirectory === undefined) await dropDatabaseOf(dataDirectory);
    rmSync(directory, { recursive: true, force: true });
    return code === 130 ? 0 : code;
  }

  const read = (name: string): string => {
    const path = join(dataDirectory, name);
    return existsSync(path) ? readFileSync(path, 'utf8').trim() : '';
  };
  try {
    await waitFor(() => program.hasEnded() || isReady(), START_TIMEOUT_MS);
    if (program.hasEnded()) throw new Error(`the server did not start: ${program.stderr()}`);
  } catch (error) {
    await stop();
    throw error;
  }
  const url = read('address');
  const adminToken = given.adminToken ?? environment?.TOLLGATE_ADMIN_TOKEN ?? read('admin-token');

  const admin = (method: string, path: string, body?: unknown): Promise<Answer> =>
    call(`${url}/admin/v1${path}`, {
      method,
      headers: bearer(adminToken),
      ...(body !== undefined && { body }),
    });

  async function create(path: string, body: object): Promise<Json> {
    const answer = await admin('POST', path, body);
    if (answer.status !== 201) throw new Error(`POST ${path} answered ${answer.status}: ${answer.text}`);
    return answer.body;
  }

  return {
    url,
    adminToken,
    firstKey: read('first-key'),
    pid: program.pid,
    directory,
    dataDirectory,
    configFile,
    configure,
    admin,
    call: (path: string, callOptions?: CallOptions) => call(url + path, callOptions),
    chat: (key: string, model: string, fields?: Record<string, unknown>) =>
      call(`${url}/v1/chat/completions`, { headers: bearer(key), body: chatBody(model, fields) }),
    createAccount: async (plan: string): Promise<string> =>
      (await create('/accounts', { name: plan, plan })).id,
    /** Creates a key of a new account on that plan, or of the named account. */
    async createKey(
      plan: string,
      { account, ...fields }: { account?: string } & Record<string, unknown> = {},
    ) {
      const owner = account ?? (await create('/accounts', { name: plan, plan })).id;
      const { id, key } = await create(`/accounts/${owner}/keys`, fields);
      return { account: owner, id, key } as CreatedKey;
    },
    /** Returns an account, as operators see it. */
    readAccount: async (account: string): Promise<Json> => (await admin('GET', `/accounts/${account}`)).body,
    /** Buys credit for an account, as an operator does. */
    purchase: async (account: string, usd: number) =>
      void (await create(`/accounts/${account}/purchases`, { usd })),
    /** Gives an account purchased credits without a payment, as an operator does. */
    giveCredits: async (account: string, credits: number) =>
      void (await create(`/accounts/${account}/adjustments`, {
        credits,
        balance: 'purchased',
        reason: 'a test',
      })),
    /** Verifies the ledger, and lists the faults. */
    ledgerFaults: async (): Promise<Json[]> => (await admin('GET', '/ledger/verify')).body.faults,
    reload: () => admin('POST', '/reload'),
    signal: program.signal,
    exited: program.exited,
    hasEnded: program.hasEnded,
    stop,
    [Symbol.asyncDispose]: async () => void (await stop()),
    /** The standard output: the banner and the log. */
    log: program.stdout,
    errors: program.stderr,
  };
}

export type TestServer = Awaited<ReturnType<typeof startServer>>;

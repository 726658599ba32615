import { afterAll, beforeEach, expect } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { faultOptions } from '../faults/fault-options.ts';
import { type BatchClient, batchClient, messagesFlavor } from './batch-client.ts';
import type { Json } from './call.ts';
import { usageEntries } from './ledger-entries.ts';
import { startNativeUpstream } from './native/start-native-upstream.ts';
import { nativeConfig, nativeItems } from './native-gateway.ts';
import { type CreatedKey, startServer } from './start-server.ts';
import { countRows } from './store-rows.ts';
import { waitFor } from './wait-for.ts';

/** The upstream counts 1,000 input and 50 output tokens: half a credit in a batch, 0.6 in a call. */
const NATIVE_RATES = { input: 0.9, output: 2, cached_input: null };
const NATIVE_COST = 500_000;

type BatchOrder = { model?: string; count: number; fields?: Json };

/** Opens a server for one test file, with helpers for the charges of items in a provider's own batches. */
export async function openNativeCredits() {
  const upstream = startNativeUpstream();
  const directory = mkdtempSync(join(tmpdir(), 'tollgate-native-credits-'));
  const dataDirectory = join(directory, 'data');
  const storeFull = join(directory, 'store-full');
  const config = nativeConfig(upstream.url, NATIVE_RATES);
  const fault = faultOptions({ fullWhile: storeFull, spoolFullWhile: storeFull });
  const start = () =>
    startServer({
      config,
      dataDirectory,
      preload: fault.preload,
      environment: { TOLLGATE_TEST_CLOCK: '1', ...fault.environment },
    });
  let server = await start();
  afterAll(async () => {
    await server.stop();
    upstream.stop();
    rmSync(directory, { recursive: true });
  });
  beforeEach(() => {
    upstream.forget();
    upstream.endAtOnce(false);
  });

  return {
    upstream,
    config,
    dataDirectory,
    server: () => server,
    sentItems: upstream.taken,
    /** Ends the server by a signal, and starts it again after `whileStopped`. */
    async restart(signal: 'SIGKILL' | 'SIGTERM', whileStopped = async () => {}): Promise<void> {
      server.signal(signal);
      await server.exited;
      await server.stop();
      await whileStopped();
      server = await start();
    },
    /** Makes all writes of the store fail until the returned function is called. */
    fillStore(): () => void {
      writeFileSync(storeFull, '');
      return () => rmSync(storeFull);
    },
    advance: (advance_s: number) => server.admin('POST', '/test/clock', { advance_s }),
    clientOf: ({ key }: CreatedKey, flavor = messagesFlavor): BatchClient =>
      batchClient(server, { flavor, key }),
    /** Creates a batch that only a provider's own batch can run. Returns its id. */
    async createBatch(
      client: BatchClient,
      { model = 'claude', count, fields = {} }: BatchOrder,
    ): Promise<string> {
      const prompts = Array.from({ length: count }, (_, index) => `p${index}`);
      const itemFields = { max_tokens: 1_000, ...fields };
      const requests = nativeItems(client.flavor, [model], { prompts, fields: itemFields });
      return (await client.create([], { fields: { ...nativeMode, requests } })).id;
    },
    /** Creates an account with these monthly credits, and its key. */
    async createKey(credits: number): Promise<CreatedKey> {
      const key = await server.createKey('max');
      await server.admin('PATCH', `/accounts/${key.account}`, { plan_overrides: { credits } });
      return key;
    },
    call: ({ key }: CreatedKey, fields: Json = {}) => server.chat(key, 'claude', fields),
    chargesOf: async ({ account }: CreatedKey): Promise<number[]> =>
      (await usageEntries(server, account)).map(({ microcredits }) => microcredits),
    accountOf: ({ account }: CreatedKey): Promise<Json> => server.readAccount(account),
    /** Expects that the ledger verifies, and that no hold is left. */
    async expectSettledLedger(): Promise<void> {
      expect(await server.ledgerFaults()).toEqual([]);
      await waitFor(async () => (await countRows(dataDirectory, 'open_hold')) === 0);
    },
  };
}

export const nativeMode = { processing_mode: 'native-required' };

/** Returns equal charges, by default those of items in a provider's batch. */
export const repeated = (count: number, cost = NATIVE_COST): number[] => new Array(count).fill(cost);

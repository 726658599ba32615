import { afterAll, afterEach, expect } from 'bun:test';
import { answerWithUsage } from './answer-with-usage.ts';
import { type Answer, bearer, chatBody, type Json } from './call.ts';
import { expectOk } from './expect-ok.ts';
import { expectRetryHeaders } from './expect-refusal.ts';
import { ledgerEntries } from './ledger-entries.ts';
import { startRecordingUpstream } from './recording-upstream.ts';
import { sampleConfig } from './sample-config.ts';
import { type CreatedKey, startServer } from './start-server.ts';
import { wideCatalog } from './wide-catalog.ts';
import { wideLimits } from './wide-limits.ts';

/**
 * A model that costs 1 USD per million tokens of input, 0.1 USD from a cache, and 4 USD for output. A token
 * at 1 USD costs 500 micro-credits.
 */
export const SMALL = 'test-small';

/**
 * Opens a server for one test file, with helpers for credits and charges. Its upstream reports the given
 * usage.
 */
export async function openCreditGateway() {
  const upstream = startRecordingUpstream();
  const config = { ...sampleConfig(upstream.url, wideCatalog), plans: wideLimits };
  const server = await startServer({
    config,
    environment: { TOLLGATE_TEST_CLOCK: '1' },
  });
  afterAll(async () => {
    await server.stop();
    await upstream.stop();
  });
  afterEach(() => reportUsage(7, 3));
  const reportUsage = (...usage: Parameters<typeof answerWithUsage>) => {
    for (const model of ['small', 'plain', 'max'])
      upstream.answer(`hidden-test-${model}`, answerWithUsage(...usage));
  };
  const chat = ({ key }: CreatedKey, { mode, model = SMALL, ...fields }: Json = {}): Promise<Answer> =>
    server.call('/v1/chat/completions', {
      headers: { ...bearer(key), ...(mode && { 'x-svc-payment-mode': mode }) },
      body: chatBody(model, fields),
    });
  const chatWell = async (key: CreatedKey, fields?: Json): Promise<Answer> => {
    const answer = await chat(key, fields);
    expectOk(answer);
    return answer;
  };
  const ledger = ({ account }: CreatedKey): Promise<Json[]> => ledgerEntries(server, account);
  const account = ({ account }: CreatedKey): Promise<Json> => server.readAccount(account);
  const patch = (key: CreatedKey, change: Json) => server.admin('PATCH', `/accounts/${key.account}`, change);
  const addCredit = (key: CreatedKey, kind: string, body: Json) =>
    server.admin('POST', `/accounts/${key.account}/${kind}`, body);

  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
  /** Makes an account whose monthly credits are used up. */
  async function createExhausted(plan: string, credits: number): Promise<CreatedKey> {
    const key = await server.createKey(plan);
    reportUsage(credits * 2_000, 0);
    await chatWell(key);
    return key;
  }
  return {
    upstream,
    config,
    server,
    reportUsage,
    chat,
    chatWell,
    ledger,
    account,
    patch,
    addCredit,
    daysAgo,
    createExhausted,
  };
}

/** Expects a refusal because the monthly credits are used up. */
export function expectExhausted({ status, headers, body }: Answer): void {
  expect({ status, code: body.error?.code }).toEqual({ status: 402, code: 'allowance_exhausted' });
  expect(Object.keys(body.error).slice(4)).toEqual(['limit', 'used_percent', 'resets_at', 'upgrade_url']);
  expectRetryHeaders({ status, headers } as Answer);
}

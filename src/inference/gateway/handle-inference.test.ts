import { beforeAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Refusal } from '../../base/errors/refusal.ts';
import { Unavailable } from '../../base/errors/unavailable.ts';
import type { JsonBody } from '../../base/json/json-body.ts';
import { parseBodyAtOnce } from '../../base/json/parse-body.ts';
import { StartTurns } from '../../base/lib/start-turns.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import { ExchangeNotes } from '../../edge/http/exchange-notes.ts';
import type { Principal } from '../../money/auth/principal.ts';
import { StaleCaller } from '../../money/auth/stale-caller.ts';
import type { GateAnswer, GateOrder } from '../../money/limits/gate.ts';
import { Limits } from '../../money/limits/limits.ts';
import { readSnapshot } from '../../settings/snapshot/read-snapshot.ts';
import type { Snapshot } from '../../settings/snapshot/snapshot.ts';
import { samplePeriod } from '../../store/testing/conformance/sample-ledger.ts';
import { createChatDialect } from '../../translation/protocols/chat-completions/create-chat-dialect.ts';
import type { Inference } from '../request/inference.ts';
import type { Services } from '../request/services.ts';
import { answerPrepared } from './answer-inference.ts';
import { handleInference } from './handle-inference.ts';

let snapshot: Snapshot;
let body: JsonBody;

beforeAll(async () => {
  const simulator = { url: 'http://127.0.0.1:9', apiKey: 'key' };
  const around = {
    supportedWires: new Set(['openai-chat' as const]),
    simulatorFor: () => simulator,
    generation: 1,
  };
  const folder = mkdtempSync(join(tmpdir(), 'gateway-'));
  const file = join(folder, 'tollgate.yaml');
  writeFileSync(file, 'pricing: { unpriced: pass }');
  const read = await readSnapshot({ file, environment: {}, overrides: {} }, around);
  rmSync(folder, { recursive: true });
  if ('problems' in read) throw new Error(JSON.stringify(read.problems));
  snapshot = read.snapshot;
  const { id } = snapshot.catalog.entries.find(({ model }) => model.kind === 'chat')!.model;
  body = bodyOf({ model: id });
});

const bodyOf = (fields: object): JsonBody =>
  parseBodyAtOnce(JSON.stringify({ messages: [{ role: 'user', content: 'Hello' }], ...fields })) as JsonBody;

const callerOf = (version: number, { hostedToolsStopped = false } = {}) =>
  ({
    account: { id: 'acct_1', version, plan: 'pro', hostedToolsStopped },
    apiKey: { id: 'key_1', version: 1, monthlyCapUsd: null, payg: false, limits: null, models: null },
    plan: snapshot.plans.pro,
    period: samplePeriod(),
  }) as unknown as Principal;

type Sending = {
  current?: number;
  caller?: Principal;
  sent?: JsonBody;
  problem?: Unavailable;
  parts?: Partial<Services>;
};

/**
 * Sends a request through a gate that knows the account in a version. Returns the versions that the gate was
 * asked for.
 */
async function send({ current = 1, caller = callerOf(1), sent = body, problem, parts }: Sending) {
  const asked: number[] = [];
  let bodies = 0;
  const admit = ({ versions }: GateOrder): GateAnswer => {
    asked.push(versions.account);
    if (versions.account < current) return { kind: 'stale' };
    return { kind: 'limited', refusal: new Refusal('rate_limit_exceeded') };
  };
  const services = {
    authenticator: {
      authenticate: () => caller,
      authenticateAgain: (_: Exchange, { account }: Principal) => callerOf(account.version + 1),
    },
    async readBody() {
      bodies++;
      return sent;
    },
    starts: new StartTurns(),
    counter: { for: () => ({}) },
    tabs: { problem: () => problem },
    clock: { now: () => 1 },
    limits: new Limits({ decide: admit } as unknown as Limits['gate']),
    ...parts,
  } as unknown as Services;
  const exchange = {
    request: new Request('http://test.invalid/'),
    requestId: 'req_1',
    snapshot,
    headers: {},
    notes: new ExchangeNotes(),
    peer: () => '127.0.0.1',
    style: 'openai',
    reportFailure() {},
  } as unknown as Exchange;
  const answer = await handleInference(exchange, createChatDialect(), services).catch(
    (error: unknown) => error,
  );
  return { asked, bodies, answer };
}

test('a request whose account has changed starts over with the current account and the same body', async () => {
  const { asked, bodies, answer } = await send({ current: 3 });
  expect([asked, bodies]).toEqual([[1, 2, 3], 1]);
  expect(answer).toMatchObject({ code: 'rate_limit_exceeded' });
});

test('a request whose account changes again and again is refused as if the store were away', async () => {
  const { asked, answer } = await send({ current: 99 });
  expect(asked).toEqual([1, 2, 3, 4]);
  expect(answer).toBeInstanceOf(StaleCaller);
});

test('a request is refused for a store that is away before its hosted tools are', async () => {
  const sent = bodyOf({ ...body.value, web_search_options: {} });
  const caller = callerOf(1, { hostedToolsStopped: true });
  const refused = await send({ caller, sent });
  expect(refused.answer).toMatchObject({ code: 'insufficient_paid_credit' });
  const problem = new Unavailable('The store is away', 'wait');
  expect((await send({ caller, sent, problem })).answer).toBe(problem);
});

test('other requests get turns before each step of a long request, and none between its hold and its tab', async () => {
  const events: string[] = [];
  const admit = () => {
    events.push('hold');
    return { kind: 'admitted', hold: {}, count: {} };
  };
  const open = () => {
    events.push('tab');
    throw new Error('the test ends here');
  };
  const parts = {
    yieldQueue: { next: async () => void events.push('turn') },
    tabs: { problem: () => undefined, open },
    limits: new Limits({ decide: admit } as unknown as Limits['gate']),
  } as unknown as Services;
  await send({ parts, sent: bodyOf({ ...body.value, user: 'u'.repeat(400_000) }) });
  expect(events.slice(-3)).toEqual(['turn', 'hold', 'tab']);
  expect(events.length).toBeGreaterThan(6);
});

test('a request that fails leaves its conversation, even if its tab cannot be closed', async () => {
  let left = 0;
  const failing = {
    request: { stream: false },
    tab: {
      close: () => Promise.reject(new Error('the store is away')),
    },
    conversation: {
      async leave() {
        left++;
      },
    },
  };
  await expect(answerPrepared(failing as unknown as Inference)).rejects.toThrow('the store is away');
  expect(left).toBe(1);
});

import { expect, test } from 'bun:test';
import { acceptedOrError } from '../../base/errors/accepted-or-error.ts';
import { Refusal } from '../../base/errors/refusal.ts';
import { Unavailable } from '../../base/errors/unavailable.ts';
import type { JsonBody } from '../../base/json/json-body.ts';
import { parseBodyAtOnce } from '../../base/json/parse-body.ts';
import { StartTurns } from '../../base/lib/start-turns.ts';
import { partial } from '../../base/lib/testing/partial.ts';
import type { YieldQueue } from '../../base/lib/yield-queue.ts';
import { sampleExchange } from '../../edge/http/testing/sample-exchange.ts';
import type { Principal } from '../../money/auth/principal.ts';
import { StaleCaller } from '../../money/auth/stale-caller.ts';
import { samplePrincipal } from '../../money/auth/testing/sample-principal.ts';
import type { Gate, GateAnswer, GateOrder } from '../../money/limits/gate.ts';
import { Limits } from '../../money/limits/limits.ts';
import { sampleSnapshot } from '../../settings/snapshot/testing/sample-snapshot.ts';
import { createChatDialect } from '../../translation/protocols/chat-completions/create-chat-dialect.ts';
import type { KeptConversation } from '../request/kept-conversation.ts';
import type { Services } from '../request/services.ts';
import { sampleInference } from '../request/testing/sample-inference.ts';
import type { Tab } from '../settlement/tab.ts';
import type { Tabs } from '../settlement/tabs.ts';
import { answerPrepared } from './answer-inference.ts';
import { handleInference } from './handle-inference.ts';

const snapshot = sampleSnapshot(`
pricing: { unpriced: pass }
providers: [{ id: local, wire: openai-chat, base_url: http://127.0.0.1:9/v1 }]
catalog:
  models:
    - id: able
      plan: pro
      context_window: 200000
      capabilities: { tools: true }
      pricing_usd_per_mtok: { input: 1, output: 1 }
      routes: [{ provider: local, model: theirs }]`);

const messages = [{ role: 'user', content: 'Hello' }];
const bodyOf = (fields: object): JsonBody =>
  acceptedOrError(parseBodyAtOnce(JSON.stringify({ model: 'able', messages, ...fields })));
const body = bodyOf({});

const callerOf = (version: number, { hostedToolsStopped = false } = {}) =>
  samplePrincipal({ account: { version, hostedToolsStopped } });

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
  const services = partial<Services>({
    authenticator: partial({
      authenticate: () => caller,
      authenticateAgain: (_, { account }) => callerOf(account.version + 1),
    }),
    async readBody() {
      bodies++;
      return sent;
    },
    starts: new StartTurns(),
    counter: partial({ for: () => partial({}) }),
    tabs: partial({ problem: () => problem }),
    clock: { now: () => 1 },
    limits: new Limits(partial<Gate>({ decide: admit })),
    ...parts,
  });
  const answer = await handleInference(sampleExchange({ snapshot }), createChatDialect(), services).catch(
    (error: unknown) => error,
  );
  return { asked, bodies, answer };
}

test('a request whose account has changed starts over with the current account and the same body', async () => {
  const { asked, bodies, answer } = await send({ current: 3 });
  expect({ asked, bodies }).toEqual({ asked: [1, 2, 3], bodies: 1 });
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

test('other requests get turns between the steps of a long request until its hold', async () => {
  const events: string[] = [];
  const decide = (): GateAnswer => {
    events.push('hold');
    return { kind: 'admitted', hold: partial({}), count: partial({}) };
  };
  const open = () => {
    events.push('tab');
    throw new Error('the test ends here');
  };
  const parts = {
    yieldQueue: partial<YieldQueue>({ next: async () => void events.push('turn') }),
    tabs: partial<Tabs>({ problem: () => undefined, open }),
    limits: new Limits(partial<Gate>({ decide })),
  };
  await send({ parts, sent: bodyOf({ ...body.value, user: 'u'.repeat(400_000) }) });
  expect(events.slice(-3)).toEqual(['turn', 'hold', 'tab']);
  expect(events.length).toBeGreaterThan(6);
});

test('a request that fails leaves its conversation, even if its tab cannot be closed', async () => {
  let left = 0;
  const failing = sampleInference({
    request: partial({ stream: false }),
    tab: partial<Tab>({ close: () => Promise.reject(new Error('the store is away')) }),
    conversation: partial<KeptConversation>({
      async leave() {
        left++;
      },
    }),
  });
  await expect(answerPrepared(failing)).rejects.toThrow('the store is away');
  expect(left).toBe(1);
});

import { expect, test } from 'bun:test';
import { Refusal } from '../../base/errors/refusal.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import type { Principal } from '../../money/auth/principal.ts';
import { StaleCaller } from '../../money/auth/stale-caller.ts';
import type { Gate, GateAnswer, GateOrder } from '../../money/limits/gate.ts';
import { Limits } from '../../money/limits/limits.ts';
import { samplePeriod } from '../../store/testing/conformance/sample-ledger.ts';
import type { Inference } from '../request/inference.ts';
import { orderCredit } from './order-credit.ts';
import { passGate } from './pass-gate.ts';

const limits = { requestsPerMin: 5, tokensPerMin: null, concurrent: null };
const pricing = { input: 1, output: 4, cachedInput: null };

function setUp(answer: GateAnswer, unattended?: object) {
  const asked: GateOrder[] = [];
  const admit = (order: GateOrder): GateAnswer => {
    asked.push(order);
    return answer;
  };
  const gate = { decide: admit } as unknown as Gate;
  const principal = {
    account: { id: 'acct_1', version: 4, plan: 'pro' },
    apiKey: { id: 'key_1', version: 7, personId: null, monthlyCapUsd: null, payg: false, limits },
    plan: { id: 'pro', networkRequestsPerMinute: null },
    period: samplePeriod(),
  } as unknown as Principal;
  const exchange = {
    requestId: 'req_1',
    notes: {},
    request: new Request('http://test.invalid/'),
    snapshot: { names: { header: { paymentMode: 'x-svc-payment-mode' } } },
  } as unknown as Exchange;
  const entry = { model: { pricing, paygPricing: null, nativeBatchPricing: null }, counted: {}, targets: [] };
  const inference = {
    exchange,
    principal,
    permit: { entry, mode: 'subscription' },
    request: { answers: 3, body: { value: {} } },
    prompt: { estimate: () => 250 },
    unattended,
    services: { limits: new Limits(gate), clock: { now: () => 1 } },
    rating: () => ({ mode: 'subscription', at: 1 }),
  } as unknown as Inference;
  const pass = () => {
    orderCredit(inference);
    return passGate(inference);
  };
  return { asked, pass };
}

test('asks the gate once for the credit and the limits, with the versions that were checked', () => {
  const refusal = new Refusal('rate_limit_exceeded');
  const { asked, pass } = setUp({ kind: 'limited', refusal });
  expect(pass()).toBe(refusal);
  expect(asked).toMatchObject([
    {
      credit: { requestId: 'req_1', accountId: 'acct_1', keyId: 'key_1', worst: null },
      limits: {
        accountId: 'acct_1',
        key: { id: 'key_1', limits },
        requests: 3,
        tokens: 250,
        isConcurrent: true,
      },
      versions: { account: 4, key: 7 },
    },
  ]);
});

test('says which credit is missing', () => {
  const shortage = { shortage: 'nothing-purchased', usedMicrocredits: 0, givenMicrocredits: 0 } as const;
  expect(setUp({ kind: 'shortage', shortage }).pass()).toMatchObject({ code: 'paid_credit_required' });
});

test('applies no limits to a request of a batch', () => {
  const { asked, pass } = setUp(
    { kind: 'limited', refusal: new Refusal('rate_limit_exceeded') },
    { planClass: 'batch' },
  );
  pass();
  expect(asked[0]!.limits).toBeUndefined();
});

test('throws if the account or the key has changed since the caller was authenticated', () => {
  expect(setUp({ kind: 'stale' }).pass).toThrow(StaleCaller);
});

import { expect, test } from 'bun:test';
import { Refusal } from '../../base/errors/refusal.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import type { Principal } from '../../money/auth/principal.ts';
import { StaleCaller } from '../../money/auth/stale-caller.ts';
import type { Gate, GateAnswer, GateOrder } from '../../money/limits/gate.ts';
import { Limits } from '../../money/limits/limits.ts';
import { samplePeriod } from '../../store/testing/conformance/sample-ledger.ts';
import { openTab, type Till } from './open-tab.ts';
import type { QualifiedRequest } from './qualified-request.ts';

const limits = { requestsPerMin: 5, tokensPerMin: null, concurrent: null };
const pricing = { input: 1, output: 4, cachedInput: null };

function setUp(answer: GateAnswer, fields: Partial<QualifiedRequest> = {}) {
  const asked: GateOrder[] = [];
  const admit = (order: GateOrder): GateAnswer => {
    asked.push(order);
    return answer;
  };
  const gate = { admit } as unknown as Gate;
  const principal = {
    account: { id: 'acct_1', version: 4, plan: 'pro' },
    apiKey: { id: 'key_1', version: 7, monthlyCapUsd: null, payg: false, limits },
    plan: { id: 'pro', networkRequestsPerMinute: null },
    period: samplePeriod(),
  } as unknown as Principal;
  const exchange = {
    requestId: 'req_1',
    request: new Request('http://test.invalid/'),
    snapshot: { names: { header: { paymentMode: 'x-svc-payment-mode' } } },
  } as unknown as Exchange;
  const entry = { model: { pricing, paygPricing: null, nativeBatchPricing: null }, counted: {}, targets: [] };
  const qualified = {
    exchange,
    principal,
    permit: { entry, mode: 'subscription' },
    request: { answers: 3, body: { value: {} } },
    estimateInput: () => 250,
    isUnattended: false,
    ...fields,
  } as unknown as QualifiedRequest;
  const till = {
    tabs: { problem: () => undefined },
    limits: new Limits(gate),
    clock: { now: () => 1 },
  } as unknown as Till;
  return { asked, open: () => openTab(till, qualified) };
}

test('asks the gate once for the credit and the limits, with the versions that were checked', () => {
  const refusal = new Refusal('rate_limit_exceeded');
  const { asked, open } = setUp({ kind: 'limited', refusal });
  expect(open()).toBe(refusal);
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

test('tells the client which credit is missing', () => {
  const shortage = { shortage: 'nothing-purchased', usedMicrocredits: 0, givenMicrocredits: 0 } as const;
  expect(setUp({ kind: 'shortage', shortage }).open()).toMatchObject({ code: 'paid_credit_required' });
});

test('applies no limits to a request of a batch', () => {
  const { asked, open } = setUp(
    { kind: 'limited', refusal: new Refusal('rate_limit_exceeded') },
    { isUnattended: true },
  );
  open();
  expect(asked[0]!.limits).toBeUndefined();
});

test('throws if the account or the key has changed since the caller was authenticated', () => {
  expect(setUp({ kind: 'stale' }).open).toThrow(StaleCaller);
});

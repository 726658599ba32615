import { expect, test } from 'bun:test';
import { Refusal } from '../../base/errors/refusal.ts';
import { knownBody } from '../../base/json/json-body.ts';
import { partial } from '../../base/lib/testing/partial.ts';
import { sampleExchange } from '../../edge/http/testing/sample-exchange.ts';
import { StaleCaller } from '../../money/auth/stale-caller.ts';
import { samplePrincipal } from '../../money/auth/testing/sample-principal.ts';
import type { Gate, GateAnswer, GateOrder } from '../../money/limits/gate.ts';
import { Limits } from '../../money/limits/limits.ts';
import { sampleEntry } from '../../settings/catalog/testing/sample-entry.ts';
import { sampleInference } from '../request/testing/sample-inference.ts';
import type { Unattended } from '../request/unattended.ts';
import { orderCredit } from './order-credit.ts';
import { passGate } from './pass-gate.ts';

const limits = { requestsPerMin: 5, tokensPerMin: null, concurrent: null };

function setUp(answer: GateAnswer, unattended?: Unattended) {
  const asked: GateOrder[] = [];
  const decide = (order: GateOrder): GateAnswer => {
    asked.push(order);
    return answer;
  };
  const entry = sampleEntry();
  const inference = sampleInference({
    exchange: sampleExchange({ requestId: 'req_1' }),
    principal: samplePrincipal({ account: { version: 4 }, apiKey: { version: 7, limits } }),
    permit: { entry, mode: 'subscription', isPreview: false, substitutes: () => [] },
    request: partial({ answers: 3, body: knownBody('{}', {}) }),
    prompt: partial({ estimate: () => 250 }),
    unattended,
    services: { limits: new Limits(partial<Gate>({ decide })), clock: { now: () => 1 } },
  });
  const pass = () => {
    orderCredit(inference);
    return passGate(inference);
  };
  return { asked, pass };
}

test('asks the gate once for the credit and the limits of the checked versions', () => {
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
    partial({ planClass: 'batch' }),
  );
  pass();
  expect(asked[0]!.limits).toBeUndefined();
});

test('throws if the account or the key has changed since the caller was authenticated', () => {
  expect(setUp({ kind: 'stale' }).pass).toThrow(StaleCaller);
});

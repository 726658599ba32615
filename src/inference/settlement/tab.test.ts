import { expect, test } from 'bun:test';
import { systemClock } from '../../base/lib/clock.ts';
import { Roster } from '../../base/lib/roster.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import type { Posting } from '../../money/ledger/ledger-store.ts';
import { ratesOf } from '../../money/ledger/rates.ts';
import { sampleOrder } from '../../store/conformance/sample-ledger.ts';
import { outputTotal, type Usage } from '../../translation/canonical/usage.ts';
import { Tab } from './tab.ts';

const told: Usage = { input: { uncached: 100_000_000 }, output: { visible: 7 } };
const believable: Usage = { input: { uncached: 1_000 }, output: { visible: 7 }, isEstimated: true };
const left = new AbortController();

test('bounds the charge and each checkpoint by the plausible usage [CRD-43]', async () => {
  const posted: Posting[] = [];
  const exchange = {
    request: new Request('http://test.invalid/', { signal: left.signal }),
    notes: {},
    startedAtMs: 0,
  } as unknown as Exchange;
  const tab = new Tab(
    { post: async (posting) => void posted.push(posting), void: () => {} },
    {
      exchange,
      hold: { order: sampleOrder({ requestId: 'req_1' }), microcredits: 0 },
      limitCount: { correct: () => {}, withdraw: () => {}, release: () => {} },
      trail: { model: 'm', attempts: 1, tried: [] },
      model: 'm',
      rates: ratesOf({ input: 1, output: 4, cachedInput: null }),
      ratesOf: () => ratesOf({ input: 1, output: 4, cachedInput: null }),
      outputCeiling: null,
      clock: systemClock,
      estimateInput: () => 1,
      believed: (usage) => (outputTotal(usage) === 7 ? believable : usage),
      settled: () => {},
    },
    new Roster<Tab>(),
  );
  tab.watch(() => told);
  await tab.settle({ exchange, usage: told });
  for (const { receipt } of [tab.checkpoint()!.posting, posted[0]!])
    expect(receipt).toMatchObject({ tokens: { input: 1_000, output: 7 }, isEstimated: true });
  expect(exchange.notes).toMatchObject({ inputTokens: 1_000, outputTokens: 7, usageEstimated: true });
});

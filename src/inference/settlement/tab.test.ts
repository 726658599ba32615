import { expect, test } from 'bun:test';
import { NodeClosed } from '../../base/errors/node-closed.ts';
import { Refusal } from '../../base/errors/refusal.ts';
import { systemClock } from '../../base/lib/clock.ts';
import { Roster } from '../../base/lib/roster.ts';
import { sampleExchange } from '../../edge/http/testing/sample-exchange.ts';
import type { Posting } from '../../money/ledger/ledger-store.ts';
import { ratesOf } from '../../money/ledger/rates.ts';
import { sampleOrder } from '../../store/testing/conformance/sample-ledger.ts';
import { outputTotal, type Usage } from '../../translation/canonical/usage.ts';
import { closeTabAfter } from './close-tab-after.ts';
import { Tab } from './tab.ts';

const reported: Usage = { input: { uncached: 100_000_000 }, output: { visible: 7 } };
const believable: Usage = { input: { uncached: 1_000 }, output: { visible: 7 }, isEstimated: true };

/** Opens the tab of a request without an amount held. `voiding` ends the removal of its hold. */
function openTab() {
  const posted: Posting[] = [];
  const steps: string[] = [];
  const voiding = Promise.withResolvers<void>();
  const open = new Roster<Tab>();
  const exchange = sampleExchange({ startedAtMs: 0 });
  const postings = {
    post: async (posting: Posting) => void posted.push(posting),
    void() {
      steps.push('void');
      return voiding.promise;
    },
  };
  const limitCount = {
    correct: (tokens: number) => void steps.push(`correct ${tokens}`),
    release: () => void steps.push('release'),
    withdraw: () => void steps.push('withdraw'),
  };
  const rates = ratesOf({ input: 1, output: 4, cachedInput: null });
  const opening = {
    exchange,
    limitCount,
    rates,
    ratesOf: () => rates,
    hold: { order: sampleOrder({ requestId: 'req_1' }), microcredits: 0 },
    trail: { model: 'm', attempts: 1, tried: [] },
    model: 'm',
    outputCeiling: null,
    clock: systemClock,
    prompt: { estimate: () => 1 },
    belief: { settled: (usage: Usage) => (outputTotal(usage) > 0 ? believable : usage) },
  };
  return { tab: new Tab(postings, opening, open), posted, steps, voiding, open, exchange };
}

test('bounds the charge and each checkpoint by the plausible usage [CRD-43]', async () => {
  const { tab, posted, exchange } = openTab();
  tab.watch(() => reported);
  await tab.settle({ usage: reported });
  for (const { receipt } of [tab.checkpoint()!.posting, posted[0]!])
    expect(receipt).toMatchObject({ tokens: { input: 1_000, output: 7 }, isEstimated: true });
  expect(exchange.notes).toMatchObject({ inputTokens: 1_000, outputTokens: 7, usageEstimated: true });
});

test('sends a whole answer without a charge only when its hold and its place are free', async () => {
  const { tab, steps, voiding } = openTab();
  const refusal = new Refusal('upstream_unavailable');
  const closed = Promise.resolve(closeTabAfter(tab, refusal)).then((reply) => {
    steps.push('sent');
    return reply;
  });
  await Bun.sleep(0);
  expect(steps).toEqual(['void', 'release', 'correct 0']);
  voiding.resolve();
  expect(await closed).toBe(refusal);
  expect(steps.at(-1)).toBe('sent');
});

test('a settled answer is sent at once', async () => {
  const { tab, steps } = openTab();
  await tab.settle({ usage: reported });
  const reply = { status: 200, body: 'whole' };
  expect(closeTabAfter(tab, reply)).toBe(reply);
  expect(steps).toEqual(['correct 1007', 'release']);
});

test('leaves an abandoned request to another node: it is neither settled, voided nor written again', async () => {
  const { tab, posted, steps, open } = openTab();
  const reason = new NodeClosed('node_1');
  tab.abandon(reason);
  const settling = tab.settle({ usage: reported }).catch((error: unknown) => error);
  expect(await settling).toBe(reason);
  expect(posted).toEqual([]);
  expect(tab.close()).toBeUndefined();
  expect({ steps, entryCount: open.entries().length }).toEqual({ steps: ['release'], entryCount: 0 });
});

test('records an answer that has begun, even if it has no tokens of output so far', () => {
  const { tab } = openTab();
  const opened = tab.checkpoint()!;
  expect(opened.produced).toBe(false);
  tab.note(opened, 0);
  expect(tab.checkpoint()).toBeUndefined();
  tab.watch(() => ({ input: { uncached: 5 }, output: { visible: 0 } }));
  const begun = tab.checkpoint()!;
  expect(begun.produced).toBe(true);
  tab.note(begun, 1);
  expect(tab.checkpoint()).toBeUndefined();
});

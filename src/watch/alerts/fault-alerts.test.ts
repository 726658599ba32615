import { expect, test } from 'bun:test';
import { HOUR_MS } from '../../base/lib/units.ts';
import type { AlertNews, Occasion } from './alert.ts';
import { FaultAlerts } from './fault-alerts.ts';

function setUp() {
  const raised: { occasion: Occasion; news: Promise<AlertNews> }[] = [];
  const faults = new FaultAlerts({
    service: { raise: (occasion, news) => void raised.push({ occasion, news: Promise.resolve(news()) }) },
    now: () => 1_000,
  });
  return {
    faults,
    raised,
    latest: async () => ({ ...raised.at(-1)!.occasion, ...(await raised.at(-1)!.news) }),
  };
}

test('reports an account in quarantine once a day, with the reason', async () => {
  const { faults, latest } = setUp();
  faults.reportQuarantine({ accountId: 'acct_1', since: 0, reason: 'An entry cannot be read.' });
  expect(await latest()).toMatchObject({
    name: 'ledger_fault acct_1',
    until: 1_000 + 24 * HOUR_MS,
    event: 'ledger_fault',
    message: expect.stringContaining('An entry cannot be read.'),
    data: { account_id: 'acct_1', reason: 'An entry cannot be read.' },
  });
});

test('reports the number of faults of a verification with the first ones', async () => {
  const { faults, raised, latest } = setUp();
  faults.reportVerification({ faults: [], isComplete: true });
  expect(raised).toEqual([]);
  const fault = (id: number) => ({ accountId: `acct_${id}`, what: 'hash', recorded: 1, recomputed: 2 });
  faults.reportVerification({ faults: [fault(1)], isComplete: true });
  expect((await latest()).message).toContain('found 1 fault.');
  const twelve = Array.from({ length: 12 }, (_, id) => fault(id));
  faults.reportVerification({ faults: twelve, isComplete: false });
  const { message, data } = await latest();
  expect(message).toContain('found at least 12 faults.');
  expect({ count: data.count, faultCount: (data.faults as unknown[]).length }).toEqual({
    count: 12,
    faultCount: 10,
  });
});

test('reports settlements and holds that cannot be read', async () => {
  const { faults, latest } = setUp();
  faults.reportDamage('spool', 3);
  expect(await latest()).toMatchObject({ event: 'ledger_fault', data: { damaged: 'spool', count: 3 } });
  faults.reportDamage('holds', 1);
  expect(await latest()).toMatchObject({ event: 'ledger_fault', data: { damaged: 'holds', count: 1 } });
});

test('reports a low disk with its free space', async () => {
  const { faults, latest } = setUp();
  faults.reportLowDisk({ free_mb: 7, min_free_mb: 512 });
  expect(await latest()).toMatchObject({ event: 'disk_low', data: { free_mb: 7, min_free_mb: 512 } });
  expect((await latest()).message).toStartWith('The disk of the data directory has 7 MB left');
});

test('reports usage without a right price once a day for each model and cause', async () => {
  const { faults, raised, latest } = setUp();
  faults.reportUnpricedRequest('gpt-x', 'web_search');
  expect(await latest()).toMatchObject({
    data: { reason: 'unpriced_request', model: 'gpt-x', extra: 'web_search' },
  });
  const tokens = { input: 1, output: 2 };
  faults.reportImplausibleUsage({
    provider: 'openai',
    model: 'gpt-x',
    requestId: 'req_1',
    reported: tokens,
    billed: tokens,
  });
  expect(await latest()).toMatchObject({
    data: { reason: 'implausible_usage', request_id: 'req_1', reported: tokens },
  });
  faults.reportUnpricedUsage('gpt-x', 'web_search');
  expect(await latest()).toMatchObject({
    data: { reason: 'unpriced_usage', model: 'gpt-x', dimension: 'web_search' },
  });
  expect(new Set(raised.map(({ occasion }) => occasion.name)).size).toBe(3);
  expect(raised.every(({ occasion }) => occasion.until === 1_000 + 24 * HOUR_MS)).toBe(true);
});

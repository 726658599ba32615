import { expect, test } from 'bun:test';
import type { Spending } from '../../money/ledger/spend-watch.ts';
import type { AlertNews, Occasion } from './alert.ts';
import { SpendAlerts } from './spend-alerts.ts';

const CAP = 1_000;
const AT = Date.UTC(2026, 4, 7);

function setUp(lowShare = 0.1, ownShares: readonly number[] = []) {
  const raised: Occasion[] = [];
  const made: Promise<AlertNews>[] = [];
  const saved: [string, number][] = [];
  const marks = new Map<string, number>();
  const alerts = new SpendAlerts({
    service: {
      hasRaised: (name) => raised.some((occasion) => occasion.name === name),
      raise: (occasion, news) => {
        raised.push(occasion);
        made.push(Promise.resolve(news()));
      },
    },
    ownShares: () => ownShares,
    lowShare: () => lowShare,
    marks,
    saveMark: (...mark) => void saved.push(mark),
    nameOfAccount: async () => null,
    nameOfKey: async () => 'ci',
  });
  /** The events so far, and forgets them. */
  const events = async () => (await Promise.all(made.splice(0))).map(({ event }) => event);
  return { alerts, raised, saved, events, made };
}

type Fields = Partial<Omit<Spending, 'order'>> & { order?: object; period?: object };

const spending = ({ order, period, ...fields }: Fields): Spending =>
  ({
    order: {
      accountId: 'acct_1',
      keyId: 'key_1',
      pays: 'monthly',
      at: AT,
      keyCapMicrocredits: CAP,
      period: { id: 'cycle-1', startedAt: 0, endsAt: 9_000, limitMicrocredits: null, ...period },
      ...order,
    },
    usedMicrocredits: 0,
    grantedMicrocredits: 0,
    keyMicrocredits: 0,
    refused: null,
    ...fields,
  }) as Spending;

const ofKey = (keyMicrocredits: number, fields: Fields = {}) => spending({ keyMicrocredits, ...fields });

test('reports each threshold of a cap once, even if one charge passes both', async () => {
  const { alerts, events } = setUp();
  alerts.spent(ofKey(799));
  expect(await events()).toEqual([]);
  alerts.spent(ofKey(800));
  alerts.spent(ofKey(900));
  expect(await events()).toEqual(['cap_80']);
  alerts.spent(ofKey(1_000));
  alerts.spent(ofKey(1_000));
  expect(await events()).toEqual(['cap_100']);
  alerts.spent(ofKey(1_000, { order: { keyId: 'key_2' } }));
  expect(await events()).toEqual(['cap_80', 'cap_100']);
});

test('a refusal for the cap reports it as reached from 95 % on', async () => {
  const { alerts, events } = setUp();
  alerts.spent(ofKey(940, { refused: 'key-cap-reached' }));
  expect(await events()).toEqual(['cap_80']);
  alerts.spent(ofKey(960, { refused: 'nothing-purchased' }));
  expect(await events()).toEqual([]);
  alerts.spent(ofKey(960, { refused: 'key-cap-reached' }));
  expect(await events()).toEqual(['cap_100']);
});

test('a new month and a new cap are new thresholds', async () => {
  const { alerts, events, raised } = setUp();
  alerts.spent(ofKey(800));
  alerts.spent(ofKey(800, { order: { at: Date.UTC(2026, 5, 1) } }));
  alerts.spent(ofKey(800, { order: { keyCapMicrocredits: 999 } }));
  expect(await events()).toEqual(['cap_80', 'cap_80', 'cap_80']);
  expect(raised[0]!.until).toBeGreaterThan(Date.UTC(2026, 5, 1));
});

test('a key without a cap, or with a cap of nothing, has no thresholds', async () => {
  const { alerts, events } = setUp();
  alerts.spent(spending({ order: { keyCapMicrocredits: null }, keyMicrocredits: null }));
  alerts.spent(ofKey(0, { order: { keyCapMicrocredits: 0 }, refused: 'key-cap-reached' }));
  expect(await events()).toEqual([]);
});

test('reports credits that are low once a cycle, with grants counted', async () => {
  const { alerts, events } = setUp(0.25);
  const used = (usedMicrocredits: number, period = {}) =>
    alerts.spent(
      spending({ usedMicrocredits, grantedMicrocredits: 200, period: { limitMicrocredits: 800, ...period } }),
    );
  used(749);
  expect(await events()).toEqual([]);
  used(750);
  used(1_100);
  expect(await events()).toEqual(['credits_low']);
  used(800, { id: 'cycle-2' });
  expect(await events()).toEqual(['credits_low']);
  used(10_000, { id: 'cycle-3', limitMicrocredits: null }); // no limit
  expect(await events()).toEqual([]);
});

test('an account that was never given credits is not reported', async () => {
  const { alerts, events } = setUp();
  alerts.spent(spending({ period: { limitMicrocredits: 0 } }));
  alerts.spent(spending({ order: { pays: 'purchased' } }));
  expect(await events()).toEqual([]);
});

test('reports purchased credit as a share of the balance after the latest purchase', async () => {
  const { alerts, events, saved } = setUp();
  const purchased = (grantedMicrocredits: number, usedMicrocredits: number) =>
    alerts.spent(spending({ order: { pays: 'purchased' }, grantedMicrocredits, usedMicrocredits }));
  alerts.purchased('acct_1', 100);
  expect(saved).toEqual([['acct_1', 100]]);
  purchased(1_000, 989); // 11 of 100
  expect(await events()).toEqual([]);
  purchased(1_000, 990);
  purchased(1_000, 1_000);
  expect(await events()).toEqual(['credits_low']);
  alerts.purchased('acct_1', 50);
  purchased(1_050, 1_045);
  expect(await events()).toEqual(['credits_low']);
});

test('notifies an organization and the operators at their own shares', async () => {
  const { alerts, made } = setUp(0.1, [0.5, 0.25]);
  const used = (usedMicrocredits: number) =>
    alerts.spent(spending({ usedMicrocredits, period: { limitMicrocredits: 1_000 } }));
  const reported = async () =>
    (await Promise.all(made.splice(0))).map(({ organization, isPrivate = false }) => [
      organization,
      isPrivate,
    ]);
  used(499);
  expect(await reported()).toEqual([]);
  used(500);
  used(600);
  expect(await reported()).toEqual([['acct_1', true]]);
  used(750);
  expect(await reported()).toEqual([['acct_1', true]]);
  used(900);
  expect(await reported()).toEqual([[undefined, false]]);
});

import { afterAll, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { Refusal } from '../../../base/errors/refusal.ts';
import type { GateAnswer } from '../../../money/limits/gate.ts';
import { type LimitedRequest, Limiter } from '../../../money/limits/limiter.ts';
import { sampleEntry, sampleOrder, samplePosting } from '../../testing/conformance/sample-ledger.ts';
import { insertAccount, insertKey } from '../testing/insert-account.ts';
import { type NodeForTest, openNodes } from '../testing/ledger-for-test.ts';
import { sampleFigures, sampleLimits } from '../testing/sample-limits.ts';

const { database, nodes, close } = await openNodes(4);
afterAll(() => close());

const versions = { account: 1, key: 1 };
const nodeAt = (index: number): NodeForTest => nodes[index % nodes.length]!;
const codeOf = (answer: GateAnswer) => (answer.kind === 'limited' ? answer.refusal.code : answer.kind);

/** Makes the account and its key, which the gate compares with the versions of an order. */
async function account(id: string): Promise<string> {
  await insertAccount(database, id);
  await insertKey(database, { id: `key_${id}`, accountId: id });
  return id;
}

const orderOf = (accountId: string, fields: Parameters<typeof sampleOrder>[0] = {}) =>
  sampleOrder({ accountId, keyId: `key_${accountId}`, ...fields });

async function admitMany(
  count: number,
  make: (index: number) => Parameters<NodeForTest['gate']['decide']>[0],
) {
  const answers = await Promise.all(
    Array.from({ length: count }, (_, index) => nodeAt(index).gate.decide(make(index))),
  );
  return Object.entries(Object.groupBy(answers, codeOf)).map(([code, all]) => [code, all!.length]);
}

const admitted = (answer: GateAnswer) => {
  if (answer.kind !== 'admitted') throw new Error(codeOf(answer));
  return answer;
};

describe('several nodes on one database', () => {
  test('admit exactly as many requests as the purchased credit pays for', async () => {
    const accountId = await account('acct_credit');
    await nodes[0]!.ledger.give(sampleEntry({ accountId, microcredits: 50 * 7 }));
    const worst = { least: 7, most: 7 };
    const counts = await admitMany(1_000, () => ({
      credit: orderOf(accountId, { pays: 'purchased', worst }),
      limits: sampleLimits(accountId),
      versions,
    }));
    expect(counts).toEqual(
      expect.arrayContaining([
        ['admitted', 50],
        ['shortage', 950],
      ]),
    );
  });

  test('admit exactly as many requests as the windows, the slots and the cap of a key allow', async () => {
    const cases: [string, Partial<LimitedRequest>, string][] = [
      ['requests', { figures: sampleFigures({ requestsPerMinute: 30 }) }, 'rate_limit_exceeded'],
      ['five', { figures: sampleFigures({ requestsPer5Minutes: 30 }) }, 'rate_limit_exceeded'],
      ['tokens', { figures: sampleFigures({ tokensPerMinute: 305 }) }, 'tokens_per_minute_exceeded'],
      ['slots', { figures: sampleFigures({ concurrent: 30 }) }, 'concurrency_limit_exceeded'],
    ];
    for (const [name, fields, code] of cases) {
      const accountId = await account(`acct_${name}`);
      const limits = sampleLimits(accountId, fields);
      const counts = await admitMany(100, () => ({ credit: orderOf(accountId), limits, versions }));
      expect(counts.sort()).toEqual([
        ['admitted', 30],
        [code, 70],
      ]);
    }
    const accountId = await account('acct_cap');
    const capped = { keyCapMicrocredits: 300, worst: { least: 10, most: 10 } };
    const counts = await admitMany(100, () => ({
      credit: orderOf(accountId, capped),
      limits: undefined,
      versions,
    }));
    expect(counts.sort()).toEqual([
      ['admitted', 30],
      ['shortage', 70],
    ]);
  });

  test('share the limits of a client network and of a key', async () => {
    const accounts = await Promise.all(['net_1', 'net_2', 'net_3'].map(account));
    const limited = { figures: sampleFigures({ networkRequestsPerMinute: 20 }), network: '10.0.0.0/24' };
    const counts = await admitMany(90, (index) => {
      const accountId = accounts[index % 3]!;
      return { credit: orderOf(accountId), limits: sampleLimits(accountId, limited), versions };
    });
    expect(counts.sort()).toEqual([
      ['admitted', 20],
      ['network_rate_limited', 70],
    ]);
    const accountId = await account('acct_key');
    const key = {
      id: `key_${accountId}`,
      limits: { requestsPerMin: null, tokensPerMin: null, concurrent: 4 },
    };
    const limits = sampleLimits(accountId, { key });
    const ofKey = await admitMany(40, () => ({ credit: orderOf(accountId), limits, versions }));
    expect(ofKey.sort()).toEqual([
      ['admitted', 4],
      ['concurrency_limit_exceeded', 36],
    ]);
  });

  test('a request that has ended or is withdrawn frees its place on every node', async () => {
    const accountId = await account('acct_places');
    const one = sampleFigures({ concurrent: 1, requestsPerMinute: 3 });
    const order = () => ({
      credit: orderOf(accountId),
      limits: sampleLimits(accountId, { figures: one }),
      versions,
    });
    const first = admitted(await nodes[0]!.gate.decide(order()));
    expect(codeOf(await nodes[1]!.gate.decide(order()))).toBe('concurrency_limit_exceeded');
    await nodes[0]!.ledger.post(samplePosting(first.hold, 5));
    const second = admitted(await nodes[1]!.gate.decide(order()));
    second.count.withdraw();
    await nodes[1]!.ledger.void(second.hold);
    for (const node of [nodes[2]!, nodes[3]!]) {
      const { hold } = admitted(await node.gate.decide(order()));
      await node.ledger.void(hold);
    }
    expect(codeOf(await nodes[0]!.gate.decide(order()))).toBe('rate_limit_exceeded');
    expect(nodes[3]!.gate.stateOf(accountId, one).requests).toMatchObject({ limit: 3, remaining: 0 });
  });

  test('an order that was checked against an older account or key is stale', async () => {
    const accountId = await account('acct_stale');
    const order = { credit: orderOf(accountId), limits: sampleLimits(accountId), versions };
    expect((await nodes[0]!.gate.decide(order)).kind).toBe('admitted');
    await database.run('UPDATE api_key SET version = 2 WHERE id = $1', [`key_${accountId}`]);
    for (const node of nodes) expect((await node.gate.decide(order)).kind).toBe('stale');
    expect((await nodes[0]!.gate.ask(order)).kind).toBe('stale');
  });

  test('questions and reads do not count as requests', async () => {
    const accountId = await account('acct_ask');
    const few = sampleFigures({ requestsPerMinute: 1 });
    const order = {
      credit: orderOf(accountId),
      limits: sampleLimits(accountId, { figures: few }),
      versions,
    };
    for (const node of nodes)
      expect(await node.gate.ask(order)).toEqual({ kind: 'affordable', microcredits: 0 });
    const question = { accountId, figures: few, versions, count: 1 };
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, index) => nodeAt(index).gate.read(question)),
    );
    expect(answers.filter((answer) => answer === undefined)).toHaveLength(20);
    expect((await nodes[0]!.gate.decide(order)).kind).toBe('admitted');
  });
});

describe('the windows in SQL', () => {
  const kinds = fc.constantFrom('admit', 'admit', 'admit', 'correct', 'release', 'withdraw', 'read');
  const steps = fc.array(
    fc.record({
      kind: kinds,
      index: fc.nat({ max: 10 }),
      amount: fc.integer({ min: 0, max: 30 }),
      passMs: fc.oneof(fc.integer({ min: 0, max: 3_000 }), fc.integer({ min: -2_000, max: 400_000 })),
    }),
    { minLength: 1, maxLength: 40 },
  );
  const small = sampleFigures({ requestsPerMinute: 8, requestsPer5Minutes: 14, tokensPerMinute: 90 });
  const limited = { ...small, concurrent: 3, networkRequestsPerMinute: 6 };
  let runs = 0;

  const shown = (answer: unknown) =>
    answer instanceof Refusal ? [answer.code, answer.message, answer.details.retryAfterMs] : 'taken';

  test('decide like the windows in memory', async () => {
    const clockless = `
      CREATE TABLE IF NOT EXISTS test_clock (at bigint);
      CREATE OR REPLACE FUNCTION now_ms() RETURNS bigint LANGUAGE sql VOLATILE AS 'SELECT at FROM test_clock';
      INSERT INTO test_clock VALUES (0)`;
    await database.script(clockless);
    const { gate } = nodes[0]!;
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        const accountId = await account(`acct_model_${++runs}`);
        let now = Date.UTC(2030, 0, 1) + 1_234 + runs * 1e7;
        const limiter = new Limiter({ now: () => now });
        const key = {
          id: `key_${accountId}`,
          limits: { requestsPerMin: 7, tokensPerMin: 70, concurrent: 2 },
        };
        const taken: [Awaited<ReturnType<typeof gate.take>>, ReturnType<typeof limiter.count>][] = [];
        for (const { kind, index, amount, passMs } of sequence) {
          now += passMs;
          await database.run('UPDATE test_clock SET at = $1', [now]);
          const limits = sampleLimits(accountId, {
            figures: limited,
            tokens: amount,
            ...(index % 2 === 0 && { key }),
            ...(index % 3 === 0 && { network: `net-${runs}` }),
          });
          if (kind === 'admit') {
            const ours = await gate.take({ limits, versions });
            const theirs = limiter.count(limits);
            expect(shown(ours)).toEqual(shown(theirs));
            if (!(ours instanceof Refusal)) taken.push([ours, theirs]);
          } else if (kind === 'read') {
            const question = { accountId, figures: limited, versions, count: amount };
            const theirs = limiter.countReads(accountId, limited, amount);
            expect(shown(await gate.read(question))).toEqual(shown(theirs));
          } else if (taken.length > 0) {
            const pair =
              kind === 'withdraw' ? taken.splice(index % taken.length, 1)[0]! : taken[index % taken.length]!;
            for (const count of pair) {
              if (typeof count !== 'object' || count instanceof Refusal) continue;
              if (kind === 'withdraw') count.withdraw();
              else if (kind === 'release') count.release();
              else if (!('isDone' in count)) {
                count.correct(amount);
                Object.assign(count, { isDone: true });
              }
            }
          }
        }
      }),
      { numRuns: 40, seed: 7 },
    );
  }, 60_000);
});

test('an admission answers with the balance of the period, so that the headers of its answer need no read', async () => {
  const { gate, ledger } = nodeAt(0);
  const order = orderOf(await account('acct_headers'));
  await gate.decide({ credit: order, limits: sampleLimits('acct_headers'), versions });
  expect(ledger.recentBalances('acct_headers', order.period)).toEqual({
    usedMicrocredits: 0,
    grantedMicrocredits: 0,
  });
});

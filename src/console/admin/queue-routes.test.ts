import { expect, test } from 'bun:test';
import { partial } from '../../base/lib/testing/partial.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import type { Provider } from '../../settings/hosts/providers.ts';
import { Capacity } from '../../upstream/capacity/capacity.ts';
import type { PlanClass } from '../../upstream/capacity/plan-class.ts';
import type { Fleet } from '../../watch/observability/fleet.ts';
import type { AdminParts } from './admin-parts.ts';
import { serveAdminRoute } from './admin-route.ts';
import { answerQueue } from './queue-in-fleet.ts';
import { queueRoutes } from './queue-routes.ts';

const one = { id: 'one', maxConcurrent: 1 } as Provider;
const time = { now: 0 };
const clock = { now: () => time.now };

/** Creates a process whose only slot is taken, and in whose queue the given requests wait. */
function processWith(node: string, waiting: readonly { id: string; planClass: PlanClass; at: number }[]) {
  const capacity = new Capacity<Provider>(clock);
  capacity.tryTake(one, 'acct_holder', 'paid');
  for (const { id, planClass, at } of waiting) {
    time.now = at;
    const origin = { requestId: id, keyId: 'key_a', model: '@svc/small' };
    const claim = { ...origin, account: `acct_${id}`, planClass, bytes: 1, providers: [one] };
    capacity.join({ ...claim, maxWaitMs: 60_000, freeShare: 0 }, () => {});
  }
  return { capacity, clock, nodes: { list: async () => [], configHash: () => '', ownId: () => node } };
}

const ask = async (parts: ReturnType<typeof processWith> & { fleet?: Fleet }, query = '') => {
  time.now = 10_000;
  const { handle } = serveAdminRoute(queueRoutes[0]!, partial<AdminParts>(parts));
  const answer = await handle({ query } as Exchange);
  return 'body' in answer ? JSON.parse(answer.body as string) : answer;
};

const own = processWith('node_a', [
  { id: 'req_free', planClass: 'free', at: 1_000 },
  { id: 'req_paid', planClass: 'paid', at: 2_000 },
]);

test('shows each queued request with its place and the time at which it is refused', async () => {
  const { data, has_more, total } = await ask(own);
  expect(data[0]).toEqual({
    id: 'req_free',
    node: 'node_a',
    class: 'free',
    model: '@svc/small',
    account_id: 'acct_req_free',
    key_id: 'key_a',
    providers: ['one'],
    position: 2,
    waited_ms: 9_000,
    queued_at: '1970-01-01T00:00:01.000Z',
    refused_at: '1970-01-01T00:01:01.000Z',
  });
  expect(data[1]).toMatchObject({ id: 'req_paid', position: 1, waited_ms: 8_000 });
  expect({ has_more, total }).toEqual({ has_more: false, total: 2 });
});

test('bounds the filtered list and says how many requests fit', async () => {
  expect(await ask(own, 'limit=1')).toMatchObject({ data: [{ id: 'req_free' }], has_more: true, total: 2 });
  for (const query of ['class=paid', 'account=acct_req_paid', 'provider=one&class=paid'])
    expect(await ask(own, query)).toMatchObject({ data: [{ id: 'req_paid' }], has_more: false, total: 1 });
  expect((await ask(own, 'provider=other')).data).toEqual([]);
  expect(await ask(own, 'class=gold')).toMatchObject({
    code: 'invalid_request',
    details: { param: 'class' },
  });
});

test('shows the queues of all processes of the port, each with its node', async () => {
  const answers: ((detail: string) => string)[] = [];
  const fleet: Fleet = {
    answer: (_, give) => void answers.push(give),
    gather: async (_, detail) =>
      ['', ...answers.map((give) => give(detail))].map((answer, worker) => ({ worker, answer })),
  };
  const other = processWith('node_b', [{ id: 'req_other', planClass: 'batch', at: 1_500 }]);
  for (const parts of [own, other]) answerQueue({ ...parts, fleet });
  const { data, total, has_more } = await ask({ ...own, fleet }, 'limit=2');
  expect(data.map(({ id, node }: { id: string; node: string }) => [id, node])).toEqual([
    ['req_free', 'node_a'],
    ['req_other', 'node_b'],
  ]);
  expect({ total, has_more }).toEqual({ total: 3, has_more: true });
});

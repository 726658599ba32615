import { afterEach, expect, jest, test } from 'bun:test';
import type { Alert, AlertDelivery } from './alert.ts';
import { DeliveryTakeover } from './delivery-takeover.ts';

/** Lets the promises of a renewal settle. */
const turn = async () => {
  for (let step = 0; step < 10; step++) await Promise.resolve();
};

const row = (id: string) => ({ alert: { id } as Alert, delivery: { alertId: id } as AlertDelivery });

afterEach(() => void jest.useRealTimers());

test('takes up deliveries again and again until it is closed, even after a failure of the store', async () => {
  jest.useFakeTimers();
  const answers = [[row('alrt_1')], [], new Error('away'), [row('alrt_2')]];
  const taken: string[] = [];
  const failures: string[] = [];
  let calls = 0;
  const takeover = new DeliveryTakeover({
    store: {
      waitingAlertDeliveries: async () => {
        const answer = answers[calls++] ?? [];
        if (answer instanceof Error) throw answer;
        return answer;
      },
    },
    courier: { take: async ({ id }) => void taken.push(id) },
    onFailure: (error) => void failures.push(String(error)),
  });
  await takeover.take();
  expect(taken).toEqual(['alrt_1']);
  takeover.repeat();
  /** Passes the time to the next renewal. */
  const pass = async () => {
    jest.advanceTimersByTime(10_000);
    await turn();
  };
  for (let renewals = 0; renewals < 3; renewals++) await pass();
  expect({ taken, failures }).toEqual({ taken: ['alrt_1', 'alrt_2'], failures: ['Error: away'] });
  await takeover.close();
  await pass();
  expect(calls).toBe(4);
});

import { expect, test } from 'bun:test';
import { waitFor } from '../../../test/support/wait-for.ts';
import type { Alert, AlertDelivery } from './alert.ts';
import { DeliveryTakeover } from './delivery-takeover.ts';

const row = (id: string) => ({ alert: { id } as Alert, delivery: { alertId: id } as AlertDelivery });

test('takes up deliveries again and again until it is closed, even after a failure of the store', async () => {
  const answers = [[row('alrt_1')], [], new Error('away'), [row('alrt_2')]];
  const taken: string[] = [];
  const failures: string[] = [];
  let asked = 0;
  const takeover = new DeliveryTakeover({
    store: {
      waitingAlertDeliveries: async () => {
        const answer = answers[asked++] ?? [];
        if (answer instanceof Error) throw answer;
        return answer;
      },
    },
    courier: { take: async ({ id }) => void taken.push(id) },
    onFailure: (error) => void failures.push(String(error)),
    everyMs: 1,
  });
  await takeover.take();
  expect(taken).toEqual(['alrt_1']);
  takeover.repeat();
  await waitFor(() => taken.length === 2);
  expect([taken, failures]).toEqual([['alrt_1', 'alrt_2'], ['Error: away']]);
  await takeover.close();
  const before = asked;
  await Bun.sleep(20);
  expect(asked).toBe(before);
});

import { expect, test } from 'bun:test';
import type { Queries } from '../queries.ts';
import { ShareKeeper } from './share-keeper.ts';

test('a node that was closed keeps no more slots than it uses, until it has a new share', async () => {
  const answers = [[['narrow', 4, 4, false, false]], [['narrow', 2, 2, false, false]]];
  const kept: unknown[] = [];
  const shares: number[] = [];
  const keeper = new ShareKeeper({
    queries: {
      async first(_: string, [, states]: [unknown, string]) {
        kept.push(JSON.parse(states)[0].at(-1));
        return { answer: JSON.stringify(answers.shift()) };
      },
      run: async () => {},
    } as unknown as Queries,
    node: () => 'node_1',
    capacity: {
      inUse: () => 1,
      waitingFor: () => 0,
      setShare: (_, share) => shares.push(share!.slots),
      onWaiting: undefined,
    },
    providers: () => [{ id: 'narrow', maxConcurrent: 4 }],
    onFailure: (error) => {
      throw error;
    },
  });
  await keeper.start();
  expect(keeper.shares).toEqual({ narrow: 4 });
  keeper.renew();
  expect([keeper.shares, shares.at(-1)]).toEqual([{ narrow: 1 }, 1]);
  await keeper.sync();
  expect([kept.at(-1), keeper.shares]).toEqual([1, { narrow: 2 }]);
  await keeper.stop();
});

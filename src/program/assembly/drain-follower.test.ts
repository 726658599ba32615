import { expect, test } from 'bun:test';
import { DrainFollower } from './drain-follower.ts';

test('the latest state of the store stays in force, even if an earlier read takes longer', async () => {
  const reads: PromiseWithResolvers<ReadonlySet<string>>[] = [];
  const drainedProviders = (): Promise<ReadonlySet<string>> => {
    const read = Promise.withResolvers<ReadonlySet<string>>();
    reads.push(read);
    return read.promise;
  };
  let isDrained = false;
  const follower = new DrainFollower({
    store: { drainedProviders },
    providers: () => [{ id: 'vendor' }],
    setDrained: (_, state) => {
      isDrained = state;
    },
    onFailure: () => {},
  });
  const first = follower.apply();
  const second = follower.apply();
  await Bun.sleep(0);
  // The second read begins only after the first one.
  expect(reads).toHaveLength(1);
  reads[0]!.resolve(new Set(['vendor']));
  await first;
  expect(isDrained).toBe(true);
  await Bun.sleep(0);
  reads[1]!.resolve(new Set());
  await second;
  expect(isDrained).toBe(false);
});

import { expect, test } from 'bun:test';
import { partial } from '../../base/lib/testing/partial.ts';
import { sampleExchange } from '../../edge/http/testing/sample-exchange.ts';
import { sampleInference } from '../request/testing/sample-inference.ts';
import type { BackgroundJob } from './background-job.ts';
import type { BackgroundParts } from './background-parts.ts';
import type { BackgroundStore } from './background-store.ts';
import { RunningJobs } from './running-jobs.ts';

test('a response whose end could not be written is put back once the store takes that', async () => {
  const putBack: string[] = [];
  let isAway = true;
  const store = partial<BackgroundStore>({
    async putBack({ id }) {
      if (isAway) throw new Error('away');
      putBack.push(id);
    },
  });
  const failures: unknown[] = [];
  const jobs = new RunningJobs(
    partial<BackgroundParts>({ store, onFailure: (error) => void failures.push(error) }),
  );
  const run = () => Promise.reject(new Error('not written'));
  jobs.run(partial<BackgroundJob>({ id: 'resp_1', exchange: sampleExchange(), run }), sampleInference());
  await jobs.ended();
  expect({ jobCount: jobs.size, failureCount: failures.length }).toEqual({ jobCount: 0, failureCount: 1 });
  await expect(jobs.putBackUnended()).rejects.toThrow('away');
  isAway = false;
  await jobs.putBackUnended();
  await jobs.putBackUnended();
  expect(putBack).toEqual(['resp_1']);
});

test('a response that is left is put back', async () => {
  const putBack: string[] = [];
  const store = partial<BackgroundStore>({ putBack: async ({ id }) => void putBack.push(id) });
  const jobs = new RunningJobs(partial<BackgroundParts>({ store }));
  const left = Promise.withResolvers<undefined>();
  const job = partial<BackgroundJob>({
    id: 'resp_1',
    exchange: sampleExchange(),
    isLeft: true,
    run: () => left.promise,
    leave: () => left.resolve(undefined),
  });
  jobs.run(job, sampleInference());
  jobs.leave(new Error('closed'));
  await jobs.ended();
  expect(putBack).toEqual(['resp_1']);
});

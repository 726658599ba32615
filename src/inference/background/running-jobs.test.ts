import { expect, test } from 'bun:test';
import type { Inference } from '../request/inference.ts';
import type { BackgroundJob } from './background-job.ts';
import type { BackgroundParts } from './background-parts.ts';
import { RunningJobs } from './running-jobs.ts';

test('a response whose end could not be written is put back once the store takes that', async () => {
  const putBack: string[] = [];
  let isAway = true;
  const store = {
    async putBack({ id }: { id: string }) {
      if (isAway) throw new Error('away');
      putBack.push(id);
    },
  };
  const failures: unknown[] = [];
  const jobs = new RunningJobs({
    store,
    onFailure: (error: unknown) => failures.push(error),
  } as never as BackgroundParts);
  const job = { id: 'resp_1', exchange: {}, run: () => Promise.reject(new Error('not written')) };
  jobs.run(job as unknown as BackgroundJob, {} as Inference);
  await jobs.ended();
  expect([jobs.size, failures.length]).toEqual([0, 1]);
  await expect(jobs.putBackUnended()).rejects.toThrow('away');
  isAway = false;
  await jobs.putBackUnended();
  await jobs.putBackUnended();
  expect(putBack).toEqual(['resp_1']);
});

test('a response that is left is put back', async () => {
  const putBack: string[] = [];
  const store = { putBack: async ({ id }: { id: string }) => void putBack.push(id) };
  const jobs = new RunningJobs({ store } as unknown as BackgroundParts);
  const left = Promise.withResolvers<undefined>();
  const job = {
    id: 'resp_1',
    exchange: {},
    isLeft: true,
    run: () => left.promise,
    leave: () => left.resolve(undefined),
  };
  jobs.run(job as unknown as BackgroundJob, {} as Inference);
  jobs.leave(new Error('closed'));
  await jobs.ended();
  expect(putBack).toEqual(['resp_1']);
});

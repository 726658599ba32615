import { expect, test } from 'bun:test';
import { FleetQuestions } from './fleet-questions.ts';
import { WorkerFleet } from './worker-fleet.ts';
import type { ToWorker } from './worker-message.ts';

/** Connects workers to each other as the supervisor does. `silent` workers never answer. */
function fleetOf(count: number, silent: readonly number[] = []) {
  const takers = new Map<number, (message: ToWorker) => void>();
  const peers = Array.from({ length: count }, (_, index) => ({
    number: index + 1,
    send: (message: ToWorker) => queueMicrotask(() => takers.get(index + 1)?.(message)),
  }));
  const questions = new FleetQuestions(() => peers);
  return peers.map((peer) => {
    const fleet = new WorkerFleet(
      { number: peer.number, count, port: undefined },
      {
        send: (message) => queueMicrotask(() => questions.receive(peer, message)),
        onMessage: (take) => {
          if (!silent.includes(peer.number)) takers.set(peer.number, take);
        },
      },
    );
    fleet.answer('metrics', (detail) => `${detail} of ${peer.number}`);
    return fleet;
  });
}

test('any worker answers for all of them, in the order of their numbers', async () => {
  const [, second] = fleetOf(3);
  expect(await second!.gather('metrics', 'counts')).toEqual([
    { worker: 1, answer: 'counts of 1' },
    { worker: 2, answer: 'counts of 2' },
    { worker: 3, answer: 'counts of 3' },
  ]);
});

test('a worker that does not answer in time is left out', async () => {
  const [first] = fleetOf(3, [2]);
  expect((await first!.gather('metrics', 'counts')).map(({ worker }) => worker)).toEqual([1, 3]);
});

import { expect, test } from 'bun:test';
import { waitFor } from '../../../test/support/wait-for.ts';
import { partial } from '../../base/lib/testing/partial.ts';
import { Supervisor } from './supervisor.ts';
import type { WorkerAssignment } from './worker-assignment.ts';
import type { ToSupervisor } from './worker-message.ts';
import type { WorkerEnd, WorkerProcess } from './worker-process.ts';

type Fake = {
  assignment: WorkerAssignment;
  say(message: ToSupervisor): void;
  end(end: WorkerEnd): void;
  signals: string[];
};

/** Starts workers that do what the test sends them. */
function supervised(count: number) {
  const workers: Fake[] = [];
  const events: { event: string; fields: Record<string, unknown> }[] = [];
  const record = (event: string, fields = {}) => void events.push({ event, fields });
  const supervisor = new Supervisor({
    count,
    logger: { info: record, warn: record, error: record, flush: () => {} },
    start(assignment, onMessage) {
      const { promise, resolve } = Promise.withResolvers<WorkerEnd>();
      const signals: string[] = [];
      workers.push({ assignment, say: onMessage, end: resolve, signals });
      const signal = (name: string) => {
        signals.push(name);
        if (name !== 'SIGHUP') resolve({ code: 0, signal: null });
      };
      return partial<WorkerProcess>({
        number: assignment.number,
        pid: 1,
        ended: promise,
        send: () => {},
        signal,
      });
    },
  });
  return { supervisor, workers, events };
}

const READY: ToSupervisor = { kind: 'ready', url: 'http://127.0.0.1:8080', port: 8080 };

test('the other workers start when the first one is ready, on its port', async () => {
  const { supervisor, workers } = supervised(3);
  const starting = supervisor.start();
  expect(workers.map(({ assignment }) => assignment)).toEqual([{ number: 1, count: 3, port: undefined }]);
  workers[0]!.say(READY);
  expect(await starting).toEqual({ url: 'http://127.0.0.1:8080' });
  expect(workers.slice(1).map(({ assignment }) => assignment)).toEqual([
    { number: 2, count: 3, port: 8080 },
    { number: 3, count: 3, port: 8080 },
  ]);
});

test('the start ends with the exit code of a first worker that does not start', async () => {
  const { supervisor, workers } = supervised(2);
  const starting = supervisor.start();
  workers[0]!.end({ code: 1, signal: null });
  expect(await starting).toEqual({ code: 1 });
  expect(workers).toHaveLength(1);
});

test('a dead worker is replaced, with a line in the log', async () => {
  const { supervisor, workers, events } = supervised(2);
  const starting = supervisor.start();
  workers[0]!.say(READY);
  await starting;
  workers[1]!.end({ code: null, signal: 'SIGKILL' });
  await waitFor(() => workers.length === 3);
  expect(workers[2]!.assignment).toEqual({ number: 2, count: 2, port: 8080 });
  expect(events[0]).toMatchObject({ event: 'worker-ended', fields: { worker: 2, signal: 'SIGKILL' } });
});

test('a stop drains all workers and replaces none', async () => {
  const { supervisor, workers } = supervised(2);
  const starting = supervisor.start();
  workers[0]!.say(READY);
  await starting;
  workers[1]!.say(READY);
  supervisor.reload();
  await supervisor.stop('SIGTERM');
  expect(workers.map(({ signals }) => signals)).toEqual([
    ['SIGHUP', 'SIGTERM'],
    ['SIGHUP', 'SIGTERM'],
  ]);
  await Bun.sleep(300);
  expect(workers).toHaveLength(2);
});

test('a worker that is not ready reloads once it is, since a SIGHUP would end it before', async () => {
  const { supervisor, workers } = supervised(2);
  const starting = supervisor.start();
  workers[0]!.say(READY);
  await starting;
  supervisor.reload();
  expect(workers.map(({ signals }) => signals)).toEqual([['SIGHUP'], []]);
  workers[1]!.say(READY);
  expect(workers[1]!.signals).toEqual(['SIGHUP']);
});

test('a stop ends the start of workers', async () => {
  const { supervisor, workers } = supervised(2);
  const starting = supervisor.start();
  await supervisor.stop('SIGTERM');
  expect(await starting).toEqual({ code: 0 });
  expect(workers.map(({ signals }) => signals)).toEqual([['SIGTERM']]);
});

test('a first worker that becomes ready during a stop has no others beside it', async () => {
  const { supervisor, workers } = supervised(2);
  const starting = supervisor.start();
  workers[0]!.say(READY);
  await supervisor.stop('SIGTERM');
  expect(await starting).toEqual({ url: 'http://127.0.0.1:8080' });
  expect(workers).toHaveLength(1);
});

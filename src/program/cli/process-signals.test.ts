import { expect, test } from 'bun:test';
import { EventEmitter } from 'node:events';
import { ProcessSignals } from './process-signals.ts';

class FakeProcess extends EventEmitter {
  readonly exits: number[] = [];

  exit(code: number): void {
    this.exits.push(code);
  }
}

test('a second signal ends the process without a drain', async () => {
  const source = new FakeProcess();
  const signals = new ProcessSignals(source);
  source.emit('SIGTERM');
  expect({ stopped: await signals.stopped, exits: source.exits }).toEqual({ stopped: 'SIGTERM', exits: [] });
  source.emit('SIGTERM');
  source.emit('SIGINT');
  expect(source.exits).toEqual([1, 130]);
});

test('a supervised process ignores a second signal until its supervisor has ended', async () => {
  let isSupervised = true;
  const source = new FakeProcess();
  const signals = new ProcessSignals(source, () => isSupervised);
  for (let times = 0; times < 3; times++) source.emit('SIGTERM');
  expect({ stopped: await signals.stopped, exits: source.exits }).toEqual({ stopped: 'SIGTERM', exits: [] });
  isSupervised = false;
  source.emit('SIGTERM');
  expect(source.exits).toEqual([1]);
});

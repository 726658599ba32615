import { expect, test } from 'bun:test';
import { SingleFlight } from './single-flight.ts';

test('calls share the work until it ends, even if it fails', async () => {
  const flight = new SingleFlight();
  const gates: PromiseWithResolvers<void>[] = [];
  const work = () => {
    const gate = Promise.withResolvers<void>();
    gates.push(gate);
    return gate.promise;
  };
  const first = flight.run(work);
  expect(flight.run(work)).toBe(first);
  expect({ gateCount: gates.length, isRunning: flight.isRunning }).toEqual({ gateCount: 1, isRunning: true });
  gates[0]!.reject(new Error('failed'));
  await expect(first).rejects.toThrow('failed');
  await first.catch(() => {});
  expect(flight.isRunning).toBe(false);
  const second = flight.run(work);
  gates[1]!.resolve();
  await flight.ended();
  await second;
  expect(gates).toHaveLength(2);
});

import { withSecretFiles } from '../config/secret-file.ts';
import { takeApart } from '../config/take-apart.ts';
import { placeholderSimulator } from '../hosts/simulator-provider.ts';
import { readSnapshot } from './read-snapshot.ts';
import type { ReadAnswer, ReadOrder } from './reading-thread.ts';

/**
 * The program of the thread that reads a configuration for a reload. It sends each part of the result after
 * the last one was received.
 */
declare const self: Worker;

let parts: Iterator<string, void> | undefined;

async function answer(order: ReadOrder): Promise<ReadAnswer> {
  if (order.kind === 'read') {
    // The environment arrives as plain data.
    const environment = withSecretFiles(order.origin.environment);
    const snapshot = await readSnapshot(
      { ...order.origin, environment },
      { supportedWires: order.supportedWires, generation: 0, simulatorFor: placeholderSimulator },
    );
    if ('problems' in snapshot) return { kind: 'problems', problems: snapshot.problems };
    parts = takeApart(snapshot.contents);
  }
  const { value } = parts!.next();
  return value === undefined ? { kind: 'end' } : { kind: 'part', text: value };
}

self.onmessage = ({ data }: MessageEvent<ReadOrder>) =>
  answer(data)
    .catch((error: Error): ReadAnswer => ({ kind: 'failed', message: error.stack ?? String(error) }))
    .then((reply) => self.postMessage(reply));

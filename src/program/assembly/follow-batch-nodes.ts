import type { NativeLane } from '../../batches/native/native-lane.ts';
import type { BatchRunner } from '../../batches/running/batch-runner.ts';

/**
 * The events of other nodes that the runner follows. `onClosed`: the other nodes have taken over what this
 * process works on.
 */
export type BatchNodes = {
  onChange(kind: 'batch' | 'clock', listener: (subject: string) => void): void;
  onClosed(listener: () => void): void;
};

type BatchFollowers = {
  runner: BatchRunner;
  native: NativeLane;
  logFailureOf: (what: string) => (error: unknown) => void;
};

/** Continues batches that other nodes changed, and gives up items that they have taken over. */
export function followBatchNodes(nodes: BatchNodes, { runner, native, logFailureOf }: BatchFollowers): void {
  nodes.onChange('batch', (id) => void runner.takeUp(id).catch(logFailureOf('look')));
  nodes.onChange('clock', () => void runner.takeUpAll().catch(logFailureOf('look')));
  nodes.onClosed(() => {
    native.leave();
    runner.putBackItems();
  });
}

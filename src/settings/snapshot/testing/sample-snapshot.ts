import assert from 'node:assert/strict';
import { atOnce } from '../../../base/lib/in-slices.ts';
import { wires } from '../../../translation/canonical/wire.ts';
import { configOf } from '../../config/testing/config-of.ts';
import type { Snapshot } from '../snapshot.ts';
import { snapshotSteps } from '../snapshot-steps.ts';

/** Builds the snapshot of a configuration's text, without the default catalog. */
export function sampleSnapshot(text = '', fields: Partial<Snapshot> = {}): Snapshot {
  const contents = { config: configOf(text), defaultCatalog: null, managedSettings: [] };
  const surroundings = { environment: {}, simulator: null, supportedWires: new Set(wires), generation: 1 };
  const report = ({ message }: { message: string }) => assert.fail(message);
  const snapshot = atOnce(snapshotSteps(contents, surroundings, { inDefaults: report, inConfig: report }));
  return { ...snapshot!, ...fields };
}

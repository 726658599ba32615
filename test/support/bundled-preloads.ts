import { join } from 'node:path';

/** Names the script that the bundle runs before the program. */
export const PRELOAD_VARIABLE = 'TOLLGATE_TEST_PRELOAD';

const scripts = [
  '../faults/inject-fault.ts',
  '../faults/inject-node-fault.ts',
  '../faults/nodes/shift-clock.ts',
  'break-authentication.ts',
  'without-records.ts',
];

/** The scripts that the bundle has. The others run before the source tree. */
export const bundledPreloads = scripts.map((script) => join(import.meta.dir, script));

import { join } from 'node:path';
import { FAULT_VARIABLE, type Fault } from './fault.ts';

/** Returns the options of `startServer` by which a fault is injected. */
export const faultOptions = (fault: Fault) => ({
  preload: join(import.meta.dir, 'inject-fault.ts'),
  environment: { [FAULT_VARIABLE]: JSON.stringify(fault) },
});

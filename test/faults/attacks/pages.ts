import { ask, onConnections } from './ask.ts';
import type { Attack } from './attack.ts';

const hammer = (path: string): Attack => ({
  name: `hammering ${path}`,
  plan: 'free',
  ms: 4_000,
  statuses: [200],
  run: (siege) => onConnections(siege, 20, () => ask(siege, path, { headers: { authorization: '' } })),
});

/** Public pages. */
export const pages: readonly Attack[] = [hammer('/docs'), hammer('/openapi.json')];

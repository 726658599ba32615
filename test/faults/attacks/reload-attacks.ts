import { appendFileSync } from 'node:fs';
import { ask, onConnections } from './ask.ts';
import type { Attack } from './attack.ts';

/** Not an attack of a client, but the same measurement: the effect on other requests. */
export const reloadAttacks: readonly Attack[] = [
  {
    name: 'reloads with 5,035 models',
    plan: 'free',
    ms: 10_000,
    statuses: [200],
    fillerModels: 5_000,
    run: (session) =>
      onConnections(session, 1, async (number) => {
        appendFileSync(session.configFile, `\n# ${number}\n`); // a file that has not changed would not be read
        const headers = { authorization: `Bearer ${session.adminToken}` };
        return await ask(session, '/admin/v1/reload', { method: 'POST', headers });
      }),
  },
];

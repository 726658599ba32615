import { ask, onConnections } from './ask.ts';
import type { Attack } from './attack.ts';

const CONNECTIONS = 20;
/** A visitor has no key. */
const asVisitor = { authorization: '' };

const requestPage = (path: string): Attack => ({
  name: `hammering ${path}`,
  plan: 'free',
  ms: 4_000,
  statuses: [200],
  run: (session) => onConnections(session, CONNECTIONS, () => ask(session, path, { headers: asVisitor })),
});

/** Attacks on the public pages. */
export const pageAttacks: readonly Attack[] = [requestPage('/docs'), requestPage('/openapi.json')];

import type { PeerInputs } from './peers/peer.ts';
import type { SystemUnderTest } from './system-under-test.ts';

/** Returns the upstream as a system, with nothing in front. */
export const directSystem = ({ upstreamPort }: PeerInputs): SystemUnderTest => ({
  name: 'direct',
  pid: null,
  url: `http://127.0.0.1:${upstreamPort}`,
  headers: {},
});

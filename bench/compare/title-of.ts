import type { SystemName } from '../benchmark-report.ts';
import { allPeers } from '../peers/all-peers.ts';

const otherTitles: Readonly<Partial<Record<SystemName, string>>> = {
  tollgate: 'Tollgate',
  direct: 'the upstream alone',
};

/** Returns the name of a system in tables and pictures. */
export const titleOf = (system: SystemName): string =>
  allPeers.find(({ name }) => name === system)?.title ?? otherTitles[system] ?? system;

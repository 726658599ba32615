/** The points at which a node on Postgres can kill itself with SIGKILL. */
export const nodeCrashPoints = [
  'admission-sent',
  'after-admission',
  'before-settlement',
  'before-settle',
  'settle-sent',
  'after-settle',
  'after-settlement',
  'after-last-byte',
  'before-checkpoint',
  'checkpoint-sent',
  'after-checkpoint',
  'close-node-sent',
  'after-close-node',
  'before-restore',
  'restore-sent',
  'after-restore',
  'after-spooling',
  'after-replay',
] as const;
export type NodeCrashPoint = (typeof nodeCrashPoints)[number];

/** Deliberate faults that the kill test must detect. */
export const nodeMutants = ['settles-behind-the-end', 'restores-nothing'] as const;
export type NodeMutant = (typeof nodeMutants)[number];

export type NodeFault = {
  crash?: { point: NodeCrashPoint; passes: number } | undefined;
  mutant?: NodeMutant | undefined;
};

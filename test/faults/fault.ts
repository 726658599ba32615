/** The points at which a server can kill itself with SIGKILL, as if its machine had failed. */
export const crashPoints = [
  'after-hold',
  'before-settlement',
  'before-commit',
  'after-commit',
  'after-settlement',
  'after-last-byte',
  'before-sweep',
  'after-sweep',
  'in-recovery',
  'after-recovery',
  'after-spooling',
  'before-wiping',
  'after-replay',
] as const;
export type CrashPoint = (typeof crashPoints)[number];

/** Deliberate faults that a kill test must detect. */
export const mutants = ['settles-behind-the-end', 'settles-50ms-later', 'recovers-twice'] as const;
export type Mutant = (typeof mutants)[number];

/** The fault of a server. The paths name files that switch a part of it on. */
export type Fault = {
  /** Ends the server when it reaches the point for the nth time. */
  crash?: { point: CrashPoint; passes: number } | undefined;
  mutant?: Mutant | undefined;
  /** Commits fail as on a full disk, for this long from the nth commit on. */
  full?: { fromCommit: number; forMs: number } | undefined;
  /** Commits fail as on a full disk while this file exists. */
  fullWhile?: string | undefined;
  /** While this file exists, committed data does not reach the disk. */
  unflushedWhile?: string | undefined;
  /** The spool fails as on a full disk while this file exists. */
  spoolFullWhile?: string | undefined;
  /** The wall clock is ahead by the number of milliseconds in this file. */
  clockAheadIn?: string | undefined;
};

/** The environment variable that has the fault as JSON. */
export const FAULT_VARIABLE = 'TOLLGATE_TEST_FAULT';

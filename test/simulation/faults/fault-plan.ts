import type { CrashKind, DiskState } from '../disk/disk.ts';
import type { Moment, RareMoment } from '../kernel/simulation.ts';

/** A crash of a process, counted from the start of the process. */
export type PlannedCrash = {
  how: CrashKind | 'stop';
  /** A time after the start, or the n-th pass of a moment. */
  when: { afterMs: number } | { moment: Moment; pass: number };
};
/** A crash some time after a process passes a rare moment for the n-th time. */
type RareCrash = { how: CrashKind; moment: RareMoment; pass: number; afterMs: number; node: number };
/** Trouble of a disk at a planned time. */
type DiskTrouble = {
  fromMs: number;
  forMs: number;
  state: DiskState;
  /** The power fails this long after the trouble has begun. */
  crashAfterMs: number | undefined;
  /** True if most answers of vendors fail meanwhile, so that requests end while the disk cannot record it. */
  vendorsFail: boolean;
  node: number;
};
/** Faults of the database that the nodes share, and of the network to it. */
export type DatabasePlan = {
  /** The share of statements that meet trouble. */
  trouble: number;
  restarts: { afterMs: number; downMs: number; how: 'restart' | 'crash' }[];
  cuts: { fromMs: number; forMs: number; node: number }[];
};
/** Trouble of a disk when a moment passes for the n-th time. */
export type TimedDiskTrouble = { pass: number; forMs: number; state: DiskState; node: number };

/**
 * A moment at which a disk can fail: the end of a vendor's answer, the break of an answer that took more than
 * a second, the recording of an answer that is not charged yet, or the reading of a batch's results.
 */
export type DiskMoment = 'end' | 'break' | 'recording' | 'results';

type VendorOutage = { fromMs: number; forMs: number; vendor: number };

/** The faults of a run. */
export type FaultPlan = {
  /** The faults of each process. */
  crashes: PlannedCrash[][];
  /** The process that is not started again before the faults end. */
  lostNode: number | undefined;
  disk: DiskTrouble[];
  rareCrash: RareCrash | undefined;
  diskAt: Readonly<Record<DiskMoment, TimedDiskTrouble | undefined>>;
  outages: VendorOutage[];
  /** The factor of the vendors' bad answers. */
  trouble: number;
  database: DatabasePlan | undefined;
};

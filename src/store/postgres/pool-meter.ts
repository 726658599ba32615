/** Receives what happens in a pool. */
export interface PoolMeter {
  /** A call took a connection after a wait. */
  recordWait(milliseconds: number): void;
  connectFailed(): void;
  /** A connection was destroyed, because its call had not ended within its deadline. */
  expired(): void;
  /** A named call has ended. */
  called(name: string, milliseconds: number): void;
  /** A named call carried this many operations. */
  grouped(name: string, operations: number): void;
}

/** Ignores everything. */
export const silentMeter: PoolMeter = {
  recordWait() {},
  connectFailed() {},
  expired() {},
  called() {},
  grouped() {},
};

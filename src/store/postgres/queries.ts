import type { PostgresRow, SqlValue } from './sql-value.ts';

/**
 * Statements on one connection or on any of the pool. Parameters are `$1`, `$2`, …;
 * JSON is passed as text, `$1::text::jsonb`.
 */
export interface Queries {
  all(text: string, values?: readonly SqlValue[], options?: CallOptions): Promise<PostgresRow[]>;
  first(text: string, values?: readonly SqlValue[], options?: CallOptions): Promise<PostgresRow | undefined>;
  /** Returns the number of changed rows. */
  run(text: string, values?: readonly SqlValue[], options?: CallOptions): Promise<number>;
}

/** Statements of one transaction. */
export interface Transaction extends Queries {
  /** Runs statements without parameters. */
  script(text: string): Promise<void>;
}

/** A transaction has one deadline for all of its statements. The statements' own deadlines are ignored. */
export type CallOptions = {
  /** Bounds the wait for a connection and the call. The connection of a call that passes it is destroyed. */
  deadlineMs?: number;
  /** Names the call in the metrics. */
  name?: string;
  /** The number of operations that the call carries, for the metrics. */
  operations?: number;
  /** The call does not wait behind others, and may use connections that are reserved for urgent calls. */
  isUrgent?: boolean;
  /** Decides, when a connection is free, whether the call is sent. A call that is not sent fails. */
  isWanted?: () => boolean;
};

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

/** The options of a call. A transaction has one deadline, and ignores those of its statements. */
export type CallOptions = {
  /** Bounds the wait for a connection and the call. The connection of a call that passes it is destroyed. */
  deadlineMs?: number;
  /** Names the call in the metrics. */
  name?: string;
  /** The number of operations that the call carries, for the metrics. */
  operations?: number;
  /** True if the call goes before others, and may use connections that are reserved for urgent calls. */
  isUrgent?: boolean;
  /** Decides, when a connection is free, whether the call is sent. A call that is not sent fails. */
  isWanted?: () => boolean;
};

/** One mismatch between a value and its schema. */
export type SchemaProblem = { path: (string | number)[]; message: string };

export type SearchOptions = {
  /** The search stops after this many problems. */
  limit?: number;
  /** Selects the paths whose value no message may show. */
  isSecret?: (path: readonly (string | number)[]) => boolean;
};

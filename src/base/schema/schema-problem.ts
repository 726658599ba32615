/** One place where a value is not what its schema asks for. */
export type SchemaProblem = { path: (string | number)[]; message: string };

export type SearchOptions = {
  /** Stop after this many. */
  most?: number;
  /** Places whose value no message may show. */
  isSecret?: (path: readonly (string | number)[]) => boolean;
};

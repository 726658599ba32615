/**
 * A step of the schema. Nodes of the previous version run beside it during an upgrade, so it adds and never takes away. One that the
 * previous version cannot work with says so in `needs`.
 */
export type PostgresMigration = {
  number: number;
  name: string;
  sql: string;
  /** The newest migration that a program must know at least to work with this schema. Undefined: any program may. */
  needs?: number;
};

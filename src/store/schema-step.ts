import { createHash } from 'node:crypto';
import { StoreProblem } from './store-problem.ts';

/**
 * A numbered step of a schema. A released step is never edited, since every
 * migrated database stores its checksum.
 */
export type SchemaStep = {
  number: number;
  name: string;
  /** The statements. Lines that begin with two dashes are comments. */
  sql: string;
  /** The checksum that databases record. It is undefined if it is that of `sql`. */
  checksum?: string;
};

export const checksumOf = ({ sql, checksum }: SchemaStep): string =>
  checksum ?? createHash('sha256').update(sql).digest('hex');

/** Adds the checksums that databases have recorded to their steps. */
export const withChecksums = <Step extends SchemaStep>(
  steps: readonly Step[],
  recorded: Readonly<Record<number, string>>,
): Step[] =>
  steps.map((step) => {
    const checksum = recorded[step.number];
    return checksum === undefined ? step : { ...step, checksum };
  });

/**
 * The refusal of a database that was made with other statements than those of a step.
 * `place` names the database.
 */
export const editedStep = (place: string, { number, name }: { number: number; name: string }): StoreProblem =>
  new StoreProblem(
    `${place} was created with another form of migration ${number} (${name})`,
    'run the version that created it; a released migration must never be edited',
  );

import { createHash } from 'node:crypto';
import { entriesOf } from '../base/lib/records.ts';
import { StoreProblem } from './store-problem.ts';

/**
 * A numbered step of a schema. A released step is never edited, since every migrated database stores its
 * checksum.
 */
export type SchemaStep = {
  number: number;
  name: string;
  /** The statements. Lines that begin with two dashes are comments. */
  sql: string;
  /** The checksum that databases record. By default it is the hash of `sql`. */
  checksum?: string;
};

/** Returns a step. `file` has the statements under the name of the step in camel case: `{ usageDays }`. */
export function schemaStep(number: number, file: Readonly<Record<string, string>>): SchemaStep {
  const [[variable, sql]] = entriesOf(file) as [[string, string]];
  const name = variable.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return { number, name, sql };
}

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

/** Refuses a database that was created with other statements of a step. `place` names the database. */
export const editedStep = (place: string, { number, name }: { number: number; name: string }): StoreProblem =>
  new StoreProblem(
    `${place} was created with another form of migration ${number} (${name})`,
    'run the version that created it; a released migration must never be edited',
  );

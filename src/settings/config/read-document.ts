import type { Static, TSchema } from 'typebox';
import type { Environment } from '../../base/lib/environment.ts';
import { findProblems } from '../../base/schema/find-problems.ts';
import { formatPath } from '../../base/schema/format-path.ts';
import { nodeOf } from '../../base/schema/schema-node.ts';
import type { SchemaProblem } from '../../base/schema/schema-problem.ts';
import type { ConfigProblem } from './config-problem.ts';
import type { DeepReadonly } from './deep-readonly.ts';
import { dropRemoved } from './drop-removed.ts';
import { joinMisplaced } from './join-misplaced.ts';
import { prepareValue } from './prepare-value.ts';
import { SECRET_FIELDS } from './secret-fields.ts';
import { withUnits } from './with-units.ts';
import type { YamlPath } from './yaml-places.ts';
import { type LocatedProblem, type Position, readYaml } from './yaml-source.ts';

const MAX_PROBLEMS = 20;

export type Locate = (path: YamlPath) => Position | null;
export type Documents<Value> =
  | { value: Value; locate: Locate; ignored: SchemaProblem[] }
  | { problems: ConfigProblem[] };

/** A check across fields. It runs only if the schema check found no problem in the named section. */
export type CrossCheck<Value> = { section: keyof Value & string; find: (value: Value) => SchemaProblem[] };

export type DocumentReading<Schema extends TSchema> = {
  schema: Schema;
  text: string;
  file: string | null;
  /** `null` means that placeholders are plain text. */
  environment: Environment | null;
  crossChecks: readonly CrossCheck<DeepReadonly<Static<Schema>>>[];
};

/** Reads a YAML document with all defaults, or returns all its problems. */
export function readDocument<Schema extends TSchema>(
  reading: DocumentReading<Schema>,
): Documents<DeepReadonly<Static<Schema>>> {
  const source = readYaml(reading.text, reading.environment);
  if (source.value === undefined) return { problems: inFileOrder(source.problems, reading.file) };
  const ignored = dropRemoved(source.value);
  const value = prepareValue(nodeOf(reading.schema), source.value, source.interpolated);
  const isSecret = (path: YamlPath): boolean =>
    path.some((step) => SECRET_FIELDS.has(step)) || source.interpolated.has(formatPath(path));
  const schemaProblems = findProblems(reading.schema, value, { isSecret, limit: MAX_PROBLEMS });
  const document = value as DeepReadonly<Static<Schema>>;
  const fieldProblems = withUnits(reading.schema, [
    ...joinMisplaced(nodeOf(reading.schema), source.value, schemaProblems),
    ...runCrossChecks(reading.crossChecks, document, schemaProblems),
  ]);
  // An unfilled placeholder is already reported.
  const unfilledPaths = new Set(source.problems.map(({ path }) => formatPath(path)));
  const locatedProblems = fieldProblems
    .filter(({ path }) => !unfilledPaths.has(formatPath(path)))
    .map(({ path, message }): LocatedProblem => ({ path, message, ...source.locate(path) }));
  const problems = [...source.problems, ...locatedProblems];
  if (problems.length > 0) return { problems: inFileOrder(problems, reading.file) };
  return { value: document, locate: reading.file === null ? () => null : source.locate, ignored };
}

function runCrossChecks<Value>(
  checks: readonly CrossCheck<Value>[],
  value: Value,
  schemaProblems: readonly SchemaProblem[],
): SchemaProblem[] {
  const invalidSections = new Set(schemaProblems.map(({ path }) => path[0]));
  return checks.flatMap(({ section, find }) =>
    invalidSections.has(undefined) || invalidSections.has(section) ? [] : find(value),
  );
}

function inFileOrder(problems: readonly LocatedProblem[], file: string | null): ConfigProblem[] {
  return [...problems]
    .sort((one, other) => one.line - other.line || one.column - other.column)
    .slice(0, MAX_PROBLEMS)
    .map(({ path, message, line, column }) => {
      const place = file === null ? { line: null, column: null } : { line, column };
      return { file, ...place, field: formatPath(path), message };
    });
}

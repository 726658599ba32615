import { findProblems } from '../../base/schema/find-problems.ts';
import type { Fields } from '../../base/schema/json-type.ts';
import { nodeOf } from '../../base/schema/schema-node.ts';
import type { SchemaProblem } from '../../base/schema/schema-problem.ts';
import type { CatalogModelRow } from '../config/catalog-schema.ts';
import { type Config, ConfigSchema, type ProviderRow } from '../config/config-schema.ts';
import { configCrossChecks } from '../config/cross-checks.ts';
import { prepareValue } from '../config/prepare-value.ts';
import { SECRET_FIELDS } from '../config/secret-fields.ts';

export type CheckedRow<Row> = { row: Row } | { problem: SchemaProblem };

/** Checks the fields of a provider like those of a row of the configuration file. */
export const checkProvider = (fields: Fields): CheckedRow<ProviderRow> =>
  checkRow({ providers: [fields] }, ['providers', 0], ({ providers }) => providers[0]!);

/** Checks the fields of a model like those of a row of the configuration file. */
export const checkModel = (fields: Fields): CheckedRow<CatalogModelRow> =>
  checkRow({ catalog: { models: [fields] } }, ['catalog', 'models', 0], ({ catalog }) => catalog.models[0]!);

function checkRow<Row>(
  document: Fields,
  place: readonly (string | number)[],
  read: (config: Config) => Row,
): CheckedRow<Row> {
  const value = prepareValue(nodeOf(ConfigSchema), document);
  const isSecret = (path: readonly (string | number)[]) => path.some((step) => SECRET_FIELDS.has(step));
  const schemaProblems = findProblems(ConfigSchema, value, { isSecret, limit: 1 });
  const config = value as Config;
  const [problem] =
    schemaProblems.length > 0 ? schemaProblems : configCrossChecks.flatMap(({ find }) => find(config));
  return problem
    ? { problem: { ...problem, path: problem.path.slice(place.length) } }
    : { row: read(config) };
}

import type { Environment } from '../../base/lib/environment.ts';
import { type CatalogFile, CatalogFileSchema } from './catalog-schema.ts';
import type { ConfigProblem } from './config-problem.ts';
import { catalogCrossChecks } from './cross-checks.ts';
import { type Locate, readDocument } from './read-document.ts';
import { readTextFile } from './read-text-file.ts';

export type LoadedCatalogFile = { catalog: CatalogFile; locate: Locate } | { problems: ConfigProblem[] };

/** Loads a catalog file, or returns all its problems. */
export async function loadCatalogFile(
  file: string,
  environment: Environment = {},
): Promise<LoadedCatalogFile> {
  const contents = await readTextFile(file);
  if ('reason' in contents)
    return { problems: [{ file, line: null, column: null, field: '', message: contents.reason }] };
  const document = readDocument({
    schema: CatalogFileSchema,
    text: contents.text,
    file,
    environment,
    crossChecks: catalogCrossChecks,
  });
  return 'problems' in document ? document : { catalog: document.value, locate: document.locate };
}

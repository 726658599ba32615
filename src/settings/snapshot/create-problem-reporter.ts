import { formatPath } from '../../base/schema/format-path.ts';
import type { ReportProblem } from '../catalog/catalog-source.ts';
import type { ConfigProblem } from '../config/config-problem.ts';
import type { Locate } from '../config/read-document.ts';

/** The place of a catalog: a file, and the path of the catalog within it. */
type CatalogLocation = { file: string | null; locate: Locate | undefined; within: readonly string[] };

/** Creates a function that adds a catalog problem to a list, with its place in the file. */
export const createProblemReporter =
  ({ file, locate, within }: CatalogLocation, problems: ConfigProblem[]): ReportProblem =>
  ({ path, message }) => {
    const pathInFile = [...within, ...path];
    const place = locate?.(pathInFile) ?? { line: null, column: null };
    problems.push({ file, ...place, field: formatPath(pathInFile), message });
  };

import { formatPath } from '../../base/schema/format-path.ts';
import type { CatalogSource } from '../catalog/catalog-source.ts';
import type { ConfigProblem } from '../config/config-problem.ts';
import type { Locate } from '../config/read-document.ts';

export type ReportProblem = CatalogSource['report'];

/** The place of a catalog: a file, and the path of the catalog within it. */
type CatalogLocation = { file: string | null; locate: Locate | undefined; within: readonly string[] };

/** Returns a function that adds a catalog problem to a list, with its place in the file. */
export const reportIn =
  ({ file, locate, within }: CatalogLocation, problems: ConfigProblem[]): ReportProblem =>
  ({ path: inCatalog, message }) => {
    const path = [...within, ...inCatalog];
    const place = locate?.(path) ?? { line: null, column: null };
    problems.push({ file, ...place, field: formatPath(path), message });
  };

import type { FoundPage } from './page.ts';
import { pages } from './pages.ts';

/** The addresses of all pages as expressions. */
const patterns = pages.map((page) => ({ page, ...compile(page.path) }));

/** Compiles `{name}` to one part of a path, and `{name*}` to the rest of the path. */
function compile(path: string): { expression: RegExp; names: string[] } {
  const names: string[] = [];
  const source = path.replace(/\{(\w+)(\*?)\}/g, (_, name: string, star: string) => {
    names.push(name);
    return star ? '(.+)' : '([^/]+)';
  });
  return { expression: new RegExp(`^${source}/?$`), names };
}

/** Finds the page of a path. Fixed paths come before paths with parameters. */
export function findPage(path: string): FoundPage | undefined {
  const matching = patterns.filter(({ expression }) => expression.test(path));
  const best = matching.find(({ names }) => names.length === 0) ?? matching[0];
  if (!best) return undefined;
  const { page, names, expression } = best;
  const [, ...values] = expression.exec(path)!;
  try {
    return {
      page,
      params: Object.fromEntries(names.map((name, index) => [name, decodeURIComponent(values[index]!)])),
    };
  } catch {
    return undefined; // an invalid percent escape
  }
}

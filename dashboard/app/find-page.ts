import type { FoundPage } from './page.ts';
import { pages } from './pages.ts';

const patterns = pages.map((page) => ({ page, ...compile(page.path) }));

function compile(path: string): { expression: RegExp; names: string[] } {
  const names: string[] = [];
  const source = path.replace(/\{(\w+)(\*?)\}/g, (_, name: string, rest: string) => {
    names.push(name);
    return rest ? '(.+)' : '([^/]+)';
  });
  return { expression: new RegExp(`^${source}/?$`), names };
}

/** Finds the page of a path. Fixed paths come before paths with parameters. */
export function findPage(path: string): FoundPage | undefined {
  const fitting = patterns.filter(({ expression }) => expression.test(path));
  const found = fitting.find(({ names }) => names.length === 0) ?? fitting[0];
  if (!found) return undefined;
  const [, ...values] = found.expression.exec(path)!;
  try {
    const params = Object.fromEntries(
      found.names.map((name, index) => [name, decodeURIComponent(values[index]!)]),
    );
    return { page: found.page, params };
  } catch {
    return undefined; // an invalid percent escape
  }
}

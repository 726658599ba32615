import { Refusal } from '../../base/errors/refusal.ts';
import { lookUp } from '../../base/lib/records.ts';
import { listed } from '../../base/schema/describe-value.ts';
import { printable } from '../../base/schema/printable.ts';
import type { Handler, Method, Route } from './route.ts';

export type Match = { route: string; handle: Handler; params: Record<string, string> };

type Methods = Partial<Record<Method, Handler>>;
type Pattern = { route: string; expression: RegExp; names: string[]; methods: Methods };

const NO_PARAMS: Record<string, string> = Object.freeze({});

/** Retired addresses and their replacements. */
const retired: ReadonlyArray<[RegExp, string]> = [
  [/^\/v1\/complete$/, '/v1/messages'],
  [/^\/v1\/engines(\/.*)?$/, '/v1/models'],
  [/^\/v1\/edits$/, '/v1/chat/completions'],
  [/^\/v1\/answers$/, '/v1/chat/completions'],
  [/^\/v1\/classifications$/, '/v1/chat/completions'],
  [/^\/v1\/search$/, '/v1/embeddings'],
];

/** Looks up addresses in the route table: fixed addresses in one map, patterns one after the other. */
export class Router {
  readonly #exact = new Map<string, { route: string; methods: Methods }>();
  readonly #patterns: Pattern[] = [];
  /** Pages at paths that are also addresses of the API without their `/v1`. */
  readonly #pages: Pattern[] = [];

  constructor(routes: readonly Route[]) {
    for (const { method, path, handle } of routes.filter(({ isPage }) => !isPage))
      this.#methodsOf(path)[method] = handle;
    for (const { path, handle } of routes.filter(({ isPage }) => isPage)) {
      if (!this.#isWithoutVersion(path)) this.#methodsOf(path)['GET'] = handle;
      else this.#pages.push({ route: path, ...compile(path), methods: { GET: handle } });
    }
  }

  match(method: string, path: string): Match | Refusal {
    const exact = this.#exact.get(path);
    if (exact) return select(exact, method, NO_PARAMS);
    for (const pattern of this.#patterns) {
      const found = pattern.expression.exec(path);
      if (!found) continue;
      const params = decodeParams(pattern.names, found);
      return params ? select(pattern, method, params) : new Refusal('not_found');
    }
    return this.#explainMiss(path);
  }

  /** Returns the page at an address that `match` refuses, for a browser. */
  matchPage(method: string, path: string): Match | undefined {
    if (method !== 'GET' && method !== 'HEAD') return undefined;
    const page = this.#pages.find(({ expression }) => expression.test(path));
    return page && { route: page.route, handle: page.methods.GET!, params: NO_PARAMS };
  }

  /** Lists the methods of a path, for OPTIONS and CORS. */
  allowed(path: string): string | undefined {
    const entry = this.#exact.get(path) ?? this.#patterns.find(({ expression }) => expression.test(path));
    return entry && isThere(entry.methods) ? allowHeader(entry.methods) : undefined;
  }

  /** Returns the addresses without parameters. */
  fixedPaths(): Iterable<string> {
    return this.#exact.keys();
  }

  /** Refuses a path with an empty segment, and names the path without it if there is one. */
  explainEmptySegments(path: string): Refusal {
    const collapsed = path.replace(/\/{2,}/g, '/');
    if (collapsed === path || !this.allowed(collapsed)) return new Refusal('not_found');
    return new Refusal('not_found', {
      message: `The address ${path} does not exist; ${collapsed} does. Remove the double slash from the base URL or from the path.`,
    });
  }

  #methodsOf(path: string): Methods {
    if (!path.includes('{')) {
      const entry = this.#exact.get(path) ?? { route: path, methods: {} };
      this.#exact.set(path, entry);
      return entry.methods;
    }
    let pattern = this.#patterns.find(({ route }) => route === path);
    if (!pattern) {
      pattern = { route: path, ...compile(path), methods: {} };
      this.#patterns.push(pattern);
    }
    return pattern.methods;
  }

  #isWithoutVersion(path: string): boolean {
    return this.allowed(`/v1${path.replace(/\{\w+\*?\}/g, 'x')}`) !== undefined;
  }

  #explainMiss(path: string): Refusal {
    const replacement = retired.find(([expression]) => expression.test(path))?.[1];
    if (replacement) {
      return new Refusal('endpoint_retired', { message: `This endpoint is retired; use ${replacement}.` });
    }
    if (path.includes('//')) return this.explainEmptySegments(path);
    const suggested = path.startsWith('/v1/v1/') ? path.slice(3) : `/v1${path}`;
    if (this.allowed(suggested)) {
      const base = path.startsWith('/v1/v1/')
        ? 'The URL contains /v1 twice: remove it from the base URL or from the path.'
        : 'The base URL must end with /v1: set it to the address of this server followed by /v1.';
      return new Refusal('not_found', {
        message: `The address ${path} does not exist; ${suggested} does. ${base}`,
      });
    }
    return new Refusal('not_found');
  }
}

function select(
  entry: { route: string; methods: Methods },
  method: string,
  params: Record<string, string>,
): Match | Refusal {
  const handle = lookUp(entry.methods, method === 'HEAD' ? 'GET' : method);
  if (handle) return { route: entry.route, handle, params };
  if (!isThere(entry.methods)) return new Refusal('not_found');
  const allow = allowHeader(entry.methods);
  return new Refusal('method_not_allowed', {
    message: `This address does not accept ${printable(method)}. It accepts ${listed(allow.split(', '), 'and')}.`,
    headers: { allow },
  });
}

const isThere = (methods: Methods): boolean => Object.keys(methods).length > 0;

const allowHeader = (methods: Methods): string =>
  [...Object.keys(methods), ...('GET' in methods ? ['HEAD'] : []), 'OPTIONS'].join(', ');

function compile(path: string): { expression: RegExp; names: string[] } {
  const names: string[] = [];
  const source = path.replace(/\{(\w+)(\*?)\}/g, (_, name: string, rest: string) => {
    names.push(name);
    return rest ? '(.+)' : '([^/]+)';
  });
  return { expression: new RegExp(`^${source}$`), names };
}

function decodeParams(names: string[], found: RegExpExecArray): Record<string, string> | undefined {
  try {
    return Object.fromEntries(names.map((name, index) => [name, decodeURIComponent(found[index + 1]!)]));
  } catch {
    return undefined; // an invalid percent escape matches no route
  }
}

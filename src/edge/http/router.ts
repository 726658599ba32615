import { Refusal } from '../../base/errors/refusal.ts';
import { lookUp } from '../../base/lib/records.ts';
import { listed } from '../../base/schema/describe-value.ts';
import { printable } from '../../base/schema/printable.ts';
import { explainEmptySegments, explainMiss } from './explain-miss.ts';
import { compilePath, decodeParams, type PathPattern } from './path-pattern.ts';
import type { Handler, Method, Route } from './route.ts';

export type Match = { route: string; handle: Handler; params: Record<string, string> };

type Methods = Partial<Record<Method, Handler>>;
/** The methods of an address. `route` is its path in the route table. */
type Address = { route: string; methods: Methods };
type Pattern = Address & PathPattern;

const NO_PARAMS: Record<string, string> = Object.freeze({});

/** Looks up addresses in the route table: fixed addresses in one map, patterns one after the other. */
export class Router {
  readonly #exact = new Map<string, Address>();
  readonly #patterns: Pattern[] = [];
  /** Pages at paths that are also addresses of the API without their `/v1`. */
  readonly #pages: Pattern[] = [];

  constructor(routes: readonly Route[]) {
    for (const { method, path, handle } of routes.filter(({ isPage }) => !isPage))
      this.#methodsOf(path)[method] = handle;
    for (const { path, handle } of routes.filter(({ isPage }) => isPage)) {
      if (!this.#isWithoutVersion(path)) this.#methodsOf(path)['GET'] = handle;
      else this.#pages.push({ route: path, ...compilePath(path), methods: { GET: handle } });
    }
  }

  /** Returns the handler of a request, or refuses its path or its method. */
  match(method: string, path: string): Match | Refusal {
    const exact = this.#exact.get(path);
    if (exact) return select(exact, method, NO_PARAMS);
    for (const pattern of this.#patterns) {
      const found = pattern.expression.exec(path);
      if (!found) continue;
      const params = decodeParams(pattern.names, found);
      return params ? select(pattern, method, params) : new Refusal('not_found');
    }
    return explainMiss(path, this.#exists);
  }

  /** Returns the page at an address that `match` refuses, for a browser. */
  matchPage(method: string, path: string): Match | undefined {
    if (method !== 'GET' && method !== 'HEAD') return undefined;
    const page = this.#pages.find(({ expression }) => expression.test(path));
    return page && { route: page.route, handle: page.methods.GET!, params: NO_PARAMS };
  }

  /** Returns the `allow` header of a path, for OPTIONS and CORS. Undefined if no address has the path. */
  allowHeader(path: string): string | undefined {
    const address = this.#exact.get(path) ?? this.#patterns.find(({ expression }) => expression.test(path));
    return address && allowHeaderOf(address);
  }

  /** Returns the addresses without parameters. */
  fixedPaths(): Iterable<string> {
    return this.#exact.keys();
  }

  /** Refuses a path with an empty segment, and names the path without it if there is one. */
  explainEmptySegments(path: string): Refusal {
    return explainEmptySegments(path, this.#exists);
  }

  readonly #exists = (path: string): boolean => this.allowHeader(path) !== undefined;

  #methodsOf(path: string): Methods {
    if (!path.includes('{')) {
      const address = this.#exact.get(path) ?? { route: path, methods: {} };
      this.#exact.set(path, address);
      return address.methods;
    }
    let pattern = this.#patterns.find(({ route }) => route === path);
    if (!pattern) {
      pattern = { route: path, ...compilePath(path), methods: {} };
      this.#patterns.push(pattern);
    }
    return pattern.methods;
  }

  #isWithoutVersion(path: string): boolean {
    return this.#exists(`/v1${path.replace(/\{\w+\*?\}/g, 'x')}`);
  }
}

function select(address: Address, method: string, params: Record<string, string>): Match | Refusal {
  const handle = lookUp(address.methods, method === 'HEAD' ? 'GET' : method);
  if (handle) return { route: address.route, handle, params };
  const allow = allowHeaderOf(address);
  return new Refusal('method_not_allowed', {
    message: `This address does not accept ${printable(method)}. It accepts ${listed(allow.split(', '), 'and')}.`,
    headers: { allow },
  });
}

const allowHeaderOf = ({ methods }: Address): string =>
  [...Object.keys(methods), ...('GET' in methods ? ['HEAD'] : []), 'OPTIONS'].join(', ');

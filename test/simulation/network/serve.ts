import type { Host } from '../kernel/host.ts';
import { stage } from '../kernel/stage.ts';
import { Ports } from './ports.ts';

type Peer = { address: string; port: number; family: 'IPv4' };
type Handler = (request: Request, server: SimulatedServer) => Response | Promise<Response>;
type ServeOptions = { port?: number; hostname?: string; fetch: Handler; routes?: Record<string, Handler> };

/** Matches a path with the pattern of a route, segment by segment. Undefined if they differ. */
function matchPath(pattern: string, path: string): Record<string, string> | undefined {
  const segments = path.split('/');
  const names = pattern.split('/');
  if (names.length !== segments.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, name] of names.entries()) {
    const segment = segments[index]!;
    if (name.startsWith(':') && segment !== '') params[name.slice(1)] = decodeURIComponent(segment);
    else if (name !== segment) return undefined;
  }
  return params;
}

/** Answers requests of simulated clients with the handlers of the program. */
export class SimulatedServer {
  readonly host: Host;
  readonly port: number;
  readonly hostname: string;
  readonly #options: ServeOptions;
  readonly #peers = new WeakMap<Request, Peer>();
  isOpen = true;

  constructor(options: ServeOptions) {
    const { simulation } = stage;
    this.host = simulation.host;
    this.port = options.port || 8080;
    this.hostname = options.hostname ?? '0.0.0.0';
    this.#options = options;
    if (servers.find(simulation, this.port)?.isListening)
      throw Object.assign(new Error(`Failed to start server. Is port ${this.port} in use?`), {
        code: 'EADDRINUSE',
      });
    servers.listen(simulation, this.port, this);
  }

  get isListening(): boolean {
    return this.isOpen && this.host.isAlive;
  }

  get url(): URL {
    return new URL(`http://127.0.0.1:${this.port}/`);
  }

  answer(request: Request, peer: Peer): Response | Promise<Response> {
    this.#peers.set(request, peer);
    const path = new URL(request.url).pathname;
    const { routes = {}, fetch } = this.#options;
    const fixed = routes[path];
    if (fixed) return fixed(request, this);
    for (const [pattern, handle] of Object.entries(routes)) {
      const params = matchPath(pattern, path);
      if (params) return handle(Object.defineProperty(request, 'params', { value: params }), this);
    }
    return fetch(request, this);
  }

  /** Does nothing, since the simulated network has no idle timeouts. */
  timeout(): void {}

  requestIP(request: Request): Peer | null {
    return this.#peers.get(request) ?? null;
  }

  upgrade(): boolean {
    return false;
  }

  async stop(): Promise<void> {
    this.isOpen = false;
  }
}

/** The last server of each port. It may have stopped. */
export const servers = new Ports<SimulatedServer>();

export const serve = (options: ServeOptions): SimulatedServer => new SimulatedServer(options);

import type { Host } from '../kernel/host.ts';
import { stage } from '../kernel/stage.ts';

type Peer = { address: string; port: number; family: 'IPv4' };
type Handler = (request: Request, server: SimulatedServer) => Response | Promise<Response>;
type ServeOptions = { port?: number; hostname?: string; fetch: Handler; routes?: Record<string, Handler> };

/** Returns the path of the program's widest route, by number of segments. */
const wideRoute = (segments: readonly string[]): string =>
  segments.map((_, index) => `/:segment${index + 1}`).join('');

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
    const { listeners } = networkOf(simulation);
    if (listeners.get(this.port)?.isListening)
      throw Object.assign(new Error(`Failed to start server. Is port ${this.port} in use?`), {
        code: 'EADDRINUSE',
      });
    listeners.set(this.port, this);
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
    const segments = path.slice(1).split('/');
    const wide = segments.every((segment) => segment !== '') ? routes[wideRoute(segments)] : undefined;
    if (!wide) return fetch(request, this);
    const params = Object.fromEntries(
      segments.map((segment, index) => [`segment${index + 1}`, decodeURIComponent(segment)]),
    );
    Object.defineProperty(request, 'params', { value: params });
    return wide(request, this);
  }

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

const networks = new WeakMap<object, { listeners: Map<number, SimulatedServer> }>();

/** Returns the servers that listen, by port. */
export function networkOf(simulation: object): { listeners: Map<number, SimulatedServer> } {
  const known = networks.get(simulation) ?? { listeners: new Map() };
  networks.set(simulation, known);
  return known;
}

export const serve = (options: ServeOptions): SimulatedServer => new SimulatedServer(options);

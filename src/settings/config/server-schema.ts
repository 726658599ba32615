import { Type } from '../../base/schema/type.ts';
import { namePatterns } from './name-patterns.ts';
import { choice, nullable, section } from './schema-parts.ts';
import { SecurityTxtSchema } from './security-txt-schema.ts';

export const PORT = { minimum: 0, maximum: 65_535 };
const MEGABYTES = { minimum: 1, maximum: 16_777_216 };
const WORKERS = { minimum: 1, maximum: 256 };

export const ServerSchema = section(
  {
    port: Type.Integer({ ...PORT, default: 8080, description: 'Port to listen on. 0: any free port.' }),
    host: Type.String({
      ...namePatterns.host,
      default: '127.0.0.1',
      description: 'Address to listen on. Use 0.0.0.0 for all interfaces.',
    }),
    admin_listen: nullable(Type.String(namePatterns.listenAddress), {
      description:
        'Address and port of a second listener for `/admin` and `/metrics`, for example 127.0.0.1:9090. The first listener then answers 404 there. `null` means one listener for everything.',
    }),
    trusted_proxies: Type.Array(Type.String(), {
      default: [],
      description:
        'Proxies whose `x-forwarded-for`, `x-forwarded-proto` and `x-forwarded-host` headers are trusted, as IP addresses or CIDR blocks.',
    }),
    public_url: nullable(Type.String(namePatterns.webAddress), {
      description:
        'Base URL that clients use. It may have a path, which the proxy removes. `null` means the address of each request. `x-forwarded-proto` and `x-forwarded-host` of a trusted proxy replace it.',
    }),
    drain_s: Type.Number({
      minimum: 0,
      maximum: 86_400,
      default: 30,
      description: 'Seconds that requests in flight may take to finish when the server stops.',
    }),
    drain_notice_s: Type.Number({
      minimum: 0,
      maximum: 3_600,
      default: 5,
      description:
        'Seconds between SIGTERM and the end of accepting connections. /readyz answers 503, and requests are still served.',
    }),
    cors: section(
      {
        origins: Type.Array(Type.String(namePatterns.origin), {
          default: ['*'],
          description: 'Origins whose web pages may call this server. An empty list disables CORS.',
        }),
      },
      { description: 'Calls from web pages on other origins.' },
    ),
    security_txt: SecurityTxtSchema,
    responses_websocket: Type.Boolean({
      default: true,
      description: 'Serves `GET /v1/responses` as a WebSocket. `false` makes clients use HTTP at once.',
    }),
    header_timeout_s: Type.Integer({
      minimum: 1,
      maximum: 240,
      default: 10,
      description:
        'Seconds in which the head of a request must arrive. On a new connection, the time before the first byte counts.',
    }),
    idle_timeout_s: Type.Integer({
      minimum: 1,
      maximum: 240,
      default: 75,
      description: 'Seconds that a connection stays open after an answer without a new request.',
    }),
    connections_per_network: nullable(Type.Integer({ minimum: 1, maximum: 1_000_000 }), {
      description:
        "Maximum connections of one client address (IPv6: /64). Above the maximum, the server closes connections without a request. Connections of trusted proxies are exempt. `null` means a quarter of the process's file descriptors, at most 2048.",
    }),
    body_timeout_s: Type.Number({
      exclusiveMinimum: 0,
      maximum: 3_600,
      default: 60,
      description:
        'Seconds in which a request body must arrive. Large bodies must also arrive at 8 KB or more in any 10 seconds.',
    }),
    memory_limit_mb: nullable(Type.Integer(MEGABYTES), {
      description:
        "Memory that the process may use, in MB. `null` means the limit of its control group, or the machine's memory without one.",
    }),
    in_flight_body_mb: nullable(Type.Integer(MEGABYTES), {
      description:
        'Memory for requests and answers that take more than 5 MB each, in MB. When it is full, further ones wait. ' +
        '`null` means half of the memory available to requests, at most 256.',
    }),
    workers: Type.Integer({ ...WORKERS, default: 1, description: 'Processes that share the port.' }),
  },
  { description: 'The HTTP server: address, connections, timeouts and memory.' },
);

export const AdminSchema = section(
  {
    token: nullable(Type.String({ minLength: 16, ...namePatterns.secret }), {
      description:
        'Token of the admin API. `null` means that the server generates one and writes it to the file admin-token in the data directory.',
    }),
  },
  { description: 'The admin API.' },
);

export const MetricsSchema = section(
  {
    token: nullable(Type.String({ minLength: 16, ...namePatterns.secret }), {
      description: 'Bearer token that `/metrics` requires. `null` means none.',
    }),
  },
  { description: 'The metrics for Prometheus.' },
);

export const LogSchema = section(
  {
    level: choice(['debug', 'info', 'warn', 'error'], {
      default: 'info',
      description: 'Lowest level that is logged.',
    }),
    format: choice(['json', 'text', 'auto'], {
      default: 'auto',
      description: 'auto: text on a terminal, JSON otherwise.',
    }),
    client_address: Type.Boolean({
      default: true,
      description: "Log and record the client's address of each request.",
    }),
  },
  { description: 'The log on standard output.' },
);

export const SimulatorSchema = section(
  {
    mode: choice(['auto', 'on', 'off'], {
      default: 'auto',
      description:
        'auto: the simulator replaces every built-in provider until a provider is live, and then never answers. ' +
        'on: it also answers for models whose routes name only provider `simulator`. off: it never answers.',
    }),
    tokens_per_second: nullable(Type.Number({ exclusiveMinimum: 0 }), {
      description: 'Tokens per second of a simulated stream. `null` means no limit.',
    }),
  },
  { description: 'The simulator, a built-in upstream for testing.' },
);

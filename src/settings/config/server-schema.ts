import { Type } from 'typebox';
import { namePatterns } from './name-patterns.ts';
import { choice, nullable, section } from './schema-parts.ts';

export const PORT = { minimum: 0, maximum: 65_535 };
const MEGABYTES = { minimum: 1, maximum: 16_777_216 };
export const WORKERS = { minimum: 1, maximum: 256 };

export const ServerSchema = section(
  {
    port: Type.Integer({ ...PORT, default: 8080, description: 'Port to listen on; 0 takes a free one.' }),
    host: Type.String({
      ...namePatterns.host,
      default: '127.0.0.1',
      description: 'Address to listen on; 0.0.0.0 for every interface.',
    }),
    trusted_proxies: Type.Array(Type.String(), {
      default: [],
      description: 'Proxies whose x-forwarded-for is believed: IP addresses or CIDR blocks.',
    }),
    public_url: nullable(Type.String(namePatterns.webAddress), {
      description: 'The address that clients use. Null: http, the host and the port.',
    }),
    drain_s: Type.Number({
      minimum: 0,
      maximum: 86_400,
      default: 30,
      description: 'How long requests in flight may still take at a stop.',
    }),
    cors: section(
      {
        origins: Type.Array(Type.String(namePatterns.origin), {
          default: ['*'],
          description: 'Web pages that may call this server; an empty list turns CORS off.',
        }),
      },
      { description: 'Calls from web pages of other origins.' },
    ),
    header_timeout_s: Type.Integer({
      minimum: 1,
      maximum: 240,
      default: 10,
      description:
        'How long the head of a request may take. On a new connection this includes the time before its first byte.',
    }),
    idle_timeout_s: Type.Integer({
      minimum: 1,
      maximum: 240,
      default: 75,
      description: 'How long a connection stays open without a request after an answer.',
    }),
    connections_per_network: nullable(Type.Integer({ minimum: 1, maximum: 1_000_000 }), {
      description:
        "Connections that one client address (IPv6: /64) may have. Above it, connections without a request are closed. Trusted proxies are not counted. Null: a quarter of the process's file descriptors, at most 2048.",
    }),
    body_timeout_s: Type.Number({
      exclusiveMinimum: 0,
      maximum: 3_600,
      default: 60,
      description:
        'How long a request body may take to arrive. Large bodies must also make progress: 8 KB in any 10 seconds.',
    }),
    memory_limit_mb: nullable(Type.Integer(MEGABYTES), {
      description:
        "Memory that the process may use. Null: the limit of its control group, else the machine's memory.",
    }),
    in_flight_body_mb: nullable(Type.Integer(MEGABYTES), {
      description:
        'Memory for requests and answers that hold more than 5 MB each. Above it new ones wait. ' +
        'Null: half of what requests may hold, at most 256.',
    }),
    workers: Type.Integer({ ...WORKERS, default: 1, description: 'Processes that share the port.' }),
  },
  { description: 'How the server is reached.' },
);

export const StoreSchema = section(
  {
    data_dir: Type.String({
      minLength: 1,
      default: './data',
      description: 'Where the embedded store lives.',
    }),
    min_free_mb: Type.Integer({
      minimum: 0,
      maximum: 1_048_576,
      default: 512,
      description:
        'With less free space for the data directory, no response and no batch is stored. Requests are still served.',
    }),
    database_url: nullable(Type.String(namePatterns.postgresUrl), {
      description: 'Postgres instead of the embedded store.',
    }),
    redis_url: nullable(Type.String(namePatterns.redisUrl), {
      description: 'Redis or Valkey for limits that several machines share.',
    }),
  },
  { description: 'Where accounts, credits and batches are kept.' },
);

export const AdminSchema = section(
  {
    token: nullable(Type.String({ minLength: 16, ...namePatterns.secret }), {
      description:
        "Token of the admin API. Null: one is made and kept in the data directory's admin-token file.",
    }),
  },
  { description: 'The admin API.' },
);

export const LogSchema = section(
  {
    level: choice(['debug', 'info', 'warn', 'error'], {
      default: 'info',
      description: 'The least that is logged.',
    }),
    format: choice(['json', 'text', 'auto'], {
      default: 'auto',
      description: 'auto: text on a terminal, JSON elsewhere.',
    }),
  },
  { description: 'The log on standard output.' },
);

export const SimulatorSchema = section(
  {
    mode: choice(['auto', 'on', 'off'], {
      default: 'auto',
      description: 'auto: stands in for providers without credentials as long as no provider is configured.',
    }),
    tokens_per_second: nullable(Type.Number({ exclusiveMinimum: 0 }), {
      description: 'Pace of its streams. Null: as fast as possible.',
    }),
  },
  { description: 'The built-in upstream, for trying things out.' },
);

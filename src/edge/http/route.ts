import type { TSchema } from 'typebox';
import type { ErrorCode } from '../../base/errors/catalogue.ts';
import type { Refusal } from '../../base/errors/refusal.ts';
import type { Exchange } from './exchange.ts';
import type { Reply } from './reply.ts';

export type Handler = (exchange: Exchange) => Reply | Refusal | Promise<Reply | Refusal>;

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** Which credential an address takes; `none` also where one is welcome but not asked for. */
export type RouteKey = 'none' | 'either' | 'bearer' | 'x-api-key' | 'admin';

/** A query parameter or a request header; `schema` where it is no free text. */
export type RouteParameter = { name: string; description: string; schema?: TSchema };

/**
 * What `/docs` and `/openapi.json` tell of a route. In its texts and the names of its fields, `{brand}` is the
 * operator's brand. A schema with a `title` becomes a component of that name.
 */
export type RouteDescription = {
  summary: string;
  group?: string;
  key?: RouteKey;
  query?: readonly RouteParameter[];
  headers?: readonly RouteParameter[];
  body?: TSchema;
  bodyExample?: unknown;
  /** What comes back, in words. */
  answer?: string;
  /** 200 unless said. */
  answerStatus?: number;
  /** JSON unless said. */
  answerType?: string;
  answerSchema?: TSchema;
  /** With `stream: true` it answers with server-sent events. */
  streams?: boolean;
  /** Beside those that follow from the key and the body. */
  errors?: readonly ErrorCode[];
};

/** A row of the route table. In `path`, `{name}` is one segment and `{name*}` all that is left. */
export type Route = { method: Method; path: string; handle: Handler; describe?: RouteDescription };

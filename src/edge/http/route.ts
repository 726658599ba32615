import type { TSchema } from 'typebox';
import type { ErrorCode } from '../../base/errors/catalogue.ts';
import type { Refusal } from '../../base/errors/refusal.ts';
import type { KeyHeader } from '../../translation/contract/key-header.ts';
import type { Exchange } from './exchange.ts';
import type { Reply } from './reply.ts';
import type { RouteGroup } from './route-group.ts';

/** Counts a request that has no credential, or refuses it. */
export type CountRequest = (exchange: Exchange) => Refusal | undefined;

export type Handler = (exchange: Exchange) => Reply | Refusal | Promise<Reply | Refusal>;

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** The credential that an address takes. `none` also covers addresses where a credential is optional. */
export type RouteKey = 'none' | KeyHeader | 'admin';

/** A query parameter or a request header. `schema` is present if the value is not free text. */
export type RouteParameter = {
  name: string;
  description: string;
  schema?: TSchema;
  isRequired?: boolean;
};

/**
 * The description of a route in `/docs` and `/openapi.json`. In texts and field names, `{brand}` is the
 * operator's brand. A schema with a `title` becomes a component of that name.
 */
export type RouteDescription = {
  summary: string;
  group?: RouteGroup;
  key?: RouteKey;
  query?: readonly RouteParameter[];
  headers?: readonly RouteParameter[];
  body?: TSchema;
  bodyExample?: unknown;
  /** A form with files, in place of the body or in addition to it. */
  form?: FormDescription;
  /** The description of the answer. */
  answer?: string;
  /** The default is 200. */
  answerStatus?: number;
  /** The default is JSON. */
  answerType?: string;
  answerSchema?: TSchema;
  /** True if `stream: true` makes the answer a stream of server-sent events. */
  streams?: boolean;
  /** Errors in addition to those that follow from the key and the body. */
  errors?: readonly ErrorCode[];
  /**
   * Answers with other statuses, or error answers without the usual envelope. A body is JSON, and has a
   * schema and an example.
   */
  otherAnswers?: Readonly<Record<number, OtherAnswer>>;
};

/** The example lists fields as curl takes them: `file=@speech.mp3`. */
export type FormDescription = { schema: TSchema; example: readonly string[] };

export type OtherAnswer = { description: string; body?: { schema: TSchema; example: unknown } };

/** A row of the route table. In `path`, `{name}` matches one segment and `{name*}` matches the rest. */
export type Route = {
  method: Method;
  path: string;
  handle: Handler;
  describe?: RouteDescription;
  /**
   * The route is for people. If an address of the API without `/v1` has the same path, only browsers get the
   * page.
   */
  isPage?: boolean;
};

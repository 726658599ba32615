import type { Refusal } from '../errors/refusal.ts';
import type { Exchange } from './exchange.ts';
import type { Reply } from './reply.ts';

export type Handler = (exchange: Exchange) => Reply | Refusal | Promise<Reply | Refusal>;

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** A row of the route table. In `path`, `{name}` is one segment and `{name*}` all that is left, slashes included. */
export type Route = { method: Method; path: string; handle: Handler };

import type { Exchange } from '../../edge/http/exchange.ts';

/** Matches a name that is safe to send in a header. */
const HEADER_TEXT = /^[\x21-\x7e]{1,256}$/;

/** Records the model name, and returns it in a header as the client sent it, also on errors. */
export function noteModel(exchange: Exchange, model: unknown): void {
  if (typeof model !== 'string') return;
  exchange.notes.model = model;
  if (HEADER_TEXT.test(model)) exchange.headers[exchange.snapshot.names.header.model] = model;
}

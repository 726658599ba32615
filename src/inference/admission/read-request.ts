import { Refusal } from '../../base/errors/refusal.ts';
import { readEndUser } from '../../base/tracing/read-end-user.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import type { Inference } from '../request/inference.ts';
import { noteSpender } from './note-spender.ts';

/** Matches a name that is safe to send in a header. */
const HEADER_TEXT = /^[\x21-\x7e]{1,256}$/;

/** Reads the body in the client's dialect, and records what the log says about it. */
export function readRequest(inference: Inference): Refusal | undefined {
  const { exchange, dialect, body } = inference;
  const { trace, request } = exchange;
  noteModel(exchange, body.value['model']);
  if (trace?.isSampled) trace.endUser = readEndUser(request.headers, body.value);
  const faulty = noteSpender(exchange, inference.principal.apiKey, body.value);
  if (faulty) return faulty;
  const clientRequest = dialect.refuseRemoved?.(body.value, request.headers) ?? dialect.read(body);
  if (clientRequest instanceof Refusal) return clientRequest;
  inference.clientRequest = clientRequest;
  inference.request = clientRequest;
  return undefined;
}

/** Records the model name, and returns it in a header as the client sent it, also on errors. */
export function noteModel(exchange: Exchange, model: unknown): void {
  if (typeof model !== 'string') return;
  exchange.notes.model = model;
  if (HEADER_TEXT.test(model)) exchange.headers[exchange.snapshot.names.header.model] = model;
}

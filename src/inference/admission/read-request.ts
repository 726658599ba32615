import { Refusal } from '../../base/errors/refusal.ts';
import { readEndUser } from '../../base/tracing/read-end-user.ts';
import type { Inference } from '../request/inference.ts';
import { noteModel } from './note-model.ts';
import { noteSpender } from './note-spender.ts';

/** Reads the body in the client's dialect, and records what the log says about it. */
export function readRequest(inference: Inference): Refusal | undefined {
  const { exchange, principal, dialect, body } = inference;
  const { trace, request } = exchange;
  noteModel(exchange, body.value['model']);
  if (trace?.isSampled) trace.endUser = readEndUser(request.headers, body.value);
  const refusal = noteSpender(exchange, principal.apiKey.tags, body.value);
  if (refusal) return refusal;
  const clientRequest = dialect.refuseRemoved?.(body.value, request.headers) ?? dialect.read(body);
  if (clientRequest instanceof Refusal) return clientRequest;
  inference.clientRequest = clientRequest;
  inference.request = clientRequest;
  return undefined;
}

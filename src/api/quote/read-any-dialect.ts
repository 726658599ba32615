import { invalidParam } from '../../base/errors/invalid-param.ts';
import { Refusal } from '../../base/errors/refusal.ts';
import type { FormShape } from '../../base/forms/form-shape.ts';
import type { JsonBody, JsonObject } from '../../base/json/json-body.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import { endpointsOf } from '../../settings/catalog/endpoints-of.ts';
import type { ModelKind } from '../../translation/canonical/model-kind.ts';
import type { Dialect } from '../../translation/contract/dialect.ts';
import type { InferenceRequest } from '../../translation/contract/inference-request.ts';
import { quotedPaths } from './quoted-paths.ts';

/** Members that only the messages dialect has. */
const MESSAGES_ONLY = ['system', 'stop_sequences', 'thinking', 'top_k', 'mcp_servers', 'container'];

/** An endpoint and its dialect. */
export type DialectEndpoint = { path: string; dialect: Dialect };
export type EndpointRequest = DialectEndpoint & { request: InferenceRequest };

/** A path of Google's clients. It names the model, unless a placeholder stands in its place. */
const GOOGLE = /^\/v1(?:beta)?\/models\/(?:\{\w+\}|(?<id>.+))(?<method>:\w+)$/;
const BEFORE_METHOD = '/v1beta/models/{id}';

type MatchedPath = { path: string; params: Record<string, string> };

/** Returns the endpoint of a path, with the model that the path names. */
function endpointAt(path: string): MatchedPath {
  const { id, method } = GOOGLE.exec(path)?.groups ?? {};
  if (method === undefined) return { path, params: {} };
  return { path: BEFORE_METHOD + method, params: id === undefined ? {} : { id } };
}

const namedPath = ({ query }: Exchange): string | null => new URLSearchParams(query).get('endpoint');

/** Returns the form that the named endpoint takes. */
export const formNamed = (exchange: Exchange, endpoints: readonly DialectEndpoint[]): FormShape | undefined =>
  endpoints.find(({ path }) => path === namedPath(exchange))?.dialect.form;

/**
 * Reads the body of any generating endpoint. `?endpoint=` names the endpoint; otherwise it is inferred from
 * the body.
 */
export function readAnyDialect(
  exchange: Exchange,
  body: JsonBody,
  endpoints: readonly DialectEndpoint[],
): EndpointRequest | Refusal {
  const named = namedPath(exchange);
  const { path: wantedPath, params } = endpointAt(named ?? '');
  const paths = named === null ? likelyPaths(exchange, body.value) : [wantedPath];
  let firstRefusal: Refusal | undefined;
  for (const candidate of paths.flatMap((path) => endpoints.filter((endpoint) => endpoint.path === path))) {
    const { dialect } = candidate;
    const removed = dialect.refuseRemoved?.(body.value, exchange.request.headers);
    if (removed) return removed;
    const addressed = dialect.bodyAt ? dialect.bodyAt(body, params) : body;
    const request = addressed instanceof Refusal ? addressed : dialect.read(addressed);
    if (!(request instanceof Refusal)) return { ...candidate, request };
    firstRefusal ??= request;
  }
  return firstRefusal ?? (named === null ? noMatch() : noEndpoint(endpoints));
}

/**
 * Lists the possible endpoints, most likely first. A body that two dialects accept means the same in both.
 */
function likelyPaths(exchange: Exchange, value: JsonObject): string[] {
  if ('messages' in value)
    return looksLikeMessages(exchange, value)
      ? [quotedPaths.messages, quotedPaths.chat]
      : [quotedPaths.chat, quotedPaths.messages];
  const kind = kindOf(exchange, value);
  if (kind !== undefined && kind !== 'chat') return [...endpointsOf[kind]];
  if ('input' in value) return [quotedPaths.responses];
  if ('contents' in value) return [quotedPaths.generate];
  if ('documents' in value) return [quotedPaths.rerank];
  return 'prompt' in value ? [quotedPaths.completions] : [];
}

const looksLikeMessages = ({ request }: Exchange, value: JsonObject): boolean =>
  request.headers.has('anthropic-version') ||
  MESSAGES_ONLY.some((name) => value[name] != null) ||
  (Array.isArray(value.tools) && value.tools.some((tool) => tool != null && 'input_schema' in Object(tool)));

const kindOf = ({ snapshot }: Exchange, { model }: JsonObject): ModelKind | undefined =>
  typeof model === 'string' ? snapshot.catalog.find(model)?.model.kind : undefined;

const noMatch = (): Refusal =>
  new Refusal('invalid_request', {
    message:
      'The body matches no inference endpoint. It needs messages, input, contents, prompt or documents.',
  });

const noEndpoint = (endpoints: readonly DialectEndpoint[]): Refusal =>
  invalidParam('endpoint', `must be one of ${endpoints.map(({ path }) => path).join(', ')}.`);

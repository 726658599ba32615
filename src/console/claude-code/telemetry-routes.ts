import { Refusal } from '../../base/errors/refusal.ts';
import { isObject } from '../../base/lib/is-object.ts';
import { Type } from '../../base/schema/type.ts';
import type { Reply } from '../../edge/http/reply.ts';
import type { RouteDescription } from '../../edge/http/route.ts';
import { type RelayedSignal, relayedSignals } from '../../settings/config/telemetry-settings.ts';
import type { ClientRoute } from './client-parts.ts';

const MAX_BYTES = 4 * 1_024 * 1_024;
const PROTOBUF = 'application/x-protobuf';
const JSON_TYPE = 'application/json';

const descriptionOf = (signal: RelayedSignal): RouteDescription => ({
  group: 'Claude Code',
  key: 'bearer',
  summary: `Accepts the ${signal} of clients over OTLP, free of charge`,
  body: Type.Object({}, { additionalProperties: true }),
  bodyExample: {},
  answer:
    'An empty answer. The body is JSON or protobuf, of at most 4 MB. The operator decides whether it is forwarded, and it is never kept.',
  answerSchema: Type.Object({}, { title: 'Nothing' }),
  errors: ['body_too_large', 'invalid_json', 'invalid_request'],
});

const emptyAnswer = (isJson: boolean): Reply => ({
  status: 200,
  body: isJson ? '{}' : new Uint8Array(),
  headers: { 'content-type': isJson ? JSON_TYPE : PROTOBUF },
});

/**
 * Accepts the telemetry of signed-in clients. Without an answer 200 they would report an error at each
 * export.
 */
export const telemetryRoutes: readonly ClientRoute[] = relayedSignals.map((signal) => ({
  method: 'POST',
  path: `/v1/${signal}`,
  describe: descriptionOf(signal),
  async handle(exchange, { authenticator, readBytes, relay }) {
    const principal = await authenticator.authenticateRead(exchange, 'bearer');
    if (principal instanceof Refusal) return principal;
    const body = await readBytes(exchange, MAX_BYTES);
    if (body instanceof Refusal) return body;
    const isJson = !exchange.request.headers.get('content-type')?.includes('protobuf');
    if (isJson && !isJsonObject(body)) return new Refusal('invalid_json');
    if (exchange.snapshot.config.claude_code.telemetry === 'forward') {
      const attributes = { 'account.id': principal.account.id, 'key.id': principal.apiKey.id };
      const refusal = relay.take({ signal, body, isJson, attributes });
      if (refusal) return refusal;
    }
    return emptyAnswer(isJson);
  },
}));

function isJsonObject(body: Uint8Array): boolean {
  try {
    return isObject(JSON.parse(new TextDecoder().decode(body)));
  } catch {
    return false;
  }
}

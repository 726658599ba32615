import { Refusal } from '../../base/errors/refusal.ts';
import { isSameSecret } from '../../base/lib/is-same-secret.ts';
import { chooseEncoding, withGzip } from '../../edge/http/compressed-file.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import type { CountRequest, Route } from '../../edge/http/route.ts';
import { contentTypes, expositionFor } from './exposition.ts';
import type { Fleet } from './fleet.ts';
import type { GatewayMetrics } from './gateway-metrics.ts';
import { joinExpositions } from './join-expositions.ts';

const BEARER = /^bearer +(\S+)$/i;

/** The route of the metrics. It takes a token if the configuration sets one. */
export const metricsRoute = (
  metrics: GatewayMetrics,
  { fleet, count }: { fleet?: Fleet | undefined; count?: CountRequest | undefined } = {},
): Route => ({
  method: 'GET',
  path: '/metrics',
  describe: {
    group: 'Operation',
    summary: 'Returns the metrics for Prometheus',
    answer:
      'Metrics in the Prometheus text format, or in OpenMetrics with exemplars if the `accept` header asks for it. ' +
      'If the operator has set `metrics.token`, the token must be sent as a bearer token.',
    answerType: contentTypes.prometheus,
    errors: ['missing_api_key', 'invalid_api_key'],
  },
  async handle(exchange) {
    const stranger = refuseStranger(exchange);
    const isKnown = !stranger && exchange.snapshot.config.metrics.token !== null;
    const refusal = (isKnown ? undefined : count?.(exchange)) ?? stranger;
    if (refusal) return refusal;
    const exposition = expositionFor(exchange.request.headers.get('accept'));
    const text = fleet
      ? joinExpositions(await fleet.gather('metrics', exposition), exposition)
      : metrics.format(exposition);
    const headers = { 'content-type': contentTypes[exposition], vary: 'accept, accept-encoding' };
    if (chooseEncoding(exchange.request.headers.get('accept-encoding'), ['gzip']) === 'plain')
      return { status: 200, body: text, headers };
    // The fastest level halves the work of the default one, and the text is new at each scrape.
    const body = new Uint8Array(await withGzip(text, { level: 1 }));
    return { status: 200, body, headers: { ...headers, 'content-encoding': 'gzip' } };
  },
});

function refuseStranger({ request, snapshot }: Exchange): Refusal | undefined {
  const { token } = snapshot.config.metrics;
  if (token === null) return undefined;
  const header = request.headers.get('authorization')?.trim();
  if (!header) {
    return new Refusal('missing_api_key', {
      message: 'The metrics token is missing. Send it as `Authorization: Bearer …`.',
    });
  }
  const sent = BEARER.exec(header)?.[1];
  return sent !== undefined && isSameSecret(sent, token)
    ? undefined
    : new Refusal('invalid_api_key', { message: 'The metrics token is not valid.' });
}

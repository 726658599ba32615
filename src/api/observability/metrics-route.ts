import { Refusal } from '../../base/errors/refusal.ts';
import { isSameSecret } from '../../base/lib/is-same-secret.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import type { Route } from '../../edge/http/route.ts';
import { contentTypes, expositionFor } from './exposition.ts';
import type { Fleet } from './fleet.ts';
import type { GatewayMetrics } from './gateway-metrics.ts';
import { joinExpositions } from './join-expositions.ts';

const BEARER = /^bearer +(\S+)$/i;

/** The route of the metrics. It takes a token if the configuration sets one. */
export const metricsRoute = (metrics: Pick<GatewayMetrics, 'format'>, fleet?: Fleet): Route => ({
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
    const refusal = refuseStranger(exchange);
    if (refusal) return refusal;
    const exposition = expositionFor(exchange.request.headers.get('accept'));
    return {
      status: 200,
      body: fleet
        ? joinExpositions(await fleet.gather('metrics', exposition), exposition)
        : metrics.format(exposition),
      headers: { 'content-type': contentTypes[exposition], vary: 'accept' },
    };
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

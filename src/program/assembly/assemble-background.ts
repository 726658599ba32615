import { BackgroundResponses } from '../../inference/background/background-responses.ts';
import { runsInBackground } from '../../inference/request/background-starter.ts';
import type { Services } from '../../inference/request/services.ts';
import { logFailure } from '../../watch/observability/log-failure.ts';
import type { Foundation } from './create-foundation.ts';
import type { ServingParts } from './create-serving-parts.ts';
import type { createTelemetry } from './create-telemetry.ts';

/** Assembles the responses that are made in the background, and has the gateway begin them. */
export function assembleBackground(
  { storage, holder, logger, dialects, clock }: Foundation,
  serving: ServingParts,
  { services, telemetry }: { services: Services; telemetry: ReturnType<typeof createTelemetry> },
): BackgroundResponses {
  const onFailure = (error: unknown) => logger.error('background-failed', { error: String(error) });
  const background = new BackgroundResponses({
    store: storage.background,
    services,
    authenticator: serving.authenticator,
    dialects: dialects.map(({ dialect }) => dialect).filter(runsInBackground),
    snapshot: () => holder.current,
    isAlone: storage.nodes === undefined,
    madeEnvelope: (wanted) => storage.store.loadEnvelope({ ...wanted, now: clock.now() }),
    opened: (exchange) => telemetry?.begin(exchange),
    observe(exchange) {
      serving.metrics.detachedFinished(exchange);
      telemetry?.finished(exchange, performance.now() - exchange.startedAtMs);
      serving.requests.keeper.keepItem(exchange);
    },
    onExchangeFailure: ({ requestId }, error) => logFailure(logger, { request_id: requestId }, error),
    onFailure,
  });
  storage.nodes?.onClosed(() => background.putBack());
  services.background = background;
  return background;
}

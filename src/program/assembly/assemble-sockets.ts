import type { EdgeObserver } from '../../edge/http/edge.ts';
import type { Services } from '../../inference/request/services.ts';
import { ResponsesSockets } from '../../inference/socket/responses-sockets.ts';
import type { Foundation } from './create-foundation.ts';
import type { ServingParts } from './create-serving-parts.ts';

/** Assembles the WebSockets for responses. */
export const assembleSockets = (
  { holder, dialects, clock }: Foundation,
  { requests: { content }, gate, yieldQueue }: ServingParts,
  { services, observer }: { services: Services; observer: EdgeObserver },
): ResponsesSockets =>
  new ResponsesSockets({
    services,
    clock,
    gate,
    yieldQueue,
    observer,
    dialect: dialects.find(({ path }) => path === '/v1/responses')!.dialect,
    snapshot: () => holder.current,
    capture(exchange, body) {
      if (exchange.accountId !== undefined && content.isOn(exchange.accountId))
        content.begin(exchange, body.text);
    },
  });

import { Refusal } from '../../base/errors/refusal.ts';
import type { Route } from '../../edge/http/route.ts';
import type { ClientParts } from './client-parts.ts';
import { managedSettingsRoute } from './managed-settings-route.ts';
import { metadataRoute, revokeRoute, signInRoute, tokenRoute } from './oauth-routes.ts';
import { telemetryRoutes } from './telemetry-routes.ts';

/**
 * Returns the routes that Claude Code calls in addition to the API, as its "gateway protocol" describes them.
 */
export const claudeCodeRoutes = (parts: ClientParts): Route[] =>
  [metadataRoute, signInRoute, tokenRoute, revokeRoute, managedSettingsRoute, ...telemetryRoutes].map(
    (route) => ({
      ...route,
      handle: (exchange) =>
        exchange.snapshot.config.claude_code.sign_in
          ? route.handle(exchange, parts)
          : new Refusal('not_found'),
    }),
  );

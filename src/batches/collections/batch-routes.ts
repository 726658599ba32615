import { Refusal } from '../../base/errors/refusal.ts';
import type { Handler, Route } from '../../edge/http/route.ts';
import type { Authenticator } from '../../money/auth/authenticator.ts';
import type { Principal } from '../../money/auth/principal.ts';
import { type Collection, collections } from '../stored/collection.ts';
import { batchDescriptions } from './batch-descriptions.ts';
import type { BatchService } from './batch-service.ts';

type Operation = 'create' | 'list' | 'show' | 'cancel' | 'results' | 'delete';

/** Returns the routes of both collections of batches. A key sees only its own batches. */
export function batchRoutes(service: BatchService, authenticator: Authenticator): Route[] {
  const routesOf = (collection: Collection): Route[] => {
    const descriptions = batchDescriptions(collection);
    const { path, keyHeader } = collection;
    const handler =
      (operation: Operation): Handler =>
      async (exchange) => {
        // A creation counts as a request of the plan, not as a read. It is counted later, at its place in the
        // order of errors.
        const methodName = operation === 'create' ? 'authenticate' : 'authenticateRead';
        const principal = await authenticator[methodName](exchange, keyHeader);
        if (principal instanceof Refusal) return principal;
        const authenticateAgain = (stale: Principal) =>
          authenticator.authenticateAgain(exchange, stale, keyHeader);
        return service[operation]({ exchange, principal, collection, authenticateAgain });
      };
    const route = (method: Route['method'], operation: Operation, rest = ''): Route => ({
      method,
      path: path + rest,
      describe: descriptions[operation],
      handle: handler(operation),
    });
    return [
      route('POST', 'create'),
      route('GET', 'list'),
      route('GET', 'show', '/{id}'),
      route('POST', 'cancel', '/{id}/cancel'),
      route('GET', 'results', '/{id}/results'),
      // Only the official client of the messages collection can delete batches.
      ...(collection === collections.messages ? [route('DELETE', 'delete', '/{id}')] : []),
    ];
  };
  return [...routesOf(collections.messages), ...routesOf(collections.chat)];
}

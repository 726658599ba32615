import type { Provider } from '../../settings/hosts/providers.ts';
import type { BatchCallObserver } from '../../upstream/calling/provider-observers.ts';
import type { NativeTransport } from './native-transport.ts';
import { complaintIn } from './provider-complaint.ts';

/**
 * Reports to the observer how each call of a transport ends, since a batch API uses the operator's key too.
 */
export function watchTransport(transport: NativeTransport, observe: BatchCallObserver): NativeTransport {
  const failed = (provider: Provider, error: unknown): never => {
    const complaint = complaintIn(error);
    if (complaint) observe(provider.id, complaint.outcome, complaint.upstreamError);
    throw error;
  };
  const watched = async <Answer>(provider: Provider, call: Promise<Answer>): Promise<Answer> => {
    const answer = await call.catch((error: unknown) => failed(provider, error));
    observe(provider.id, 'ok');
    return answer;
  };
  return {
    submit: (order) => watched(order.provider, transport.submit(order)),
    async *list(provider) {
      try {
        yield* transport.list(provider);
      } catch (error) {
        failed(provider, error);
      }
    },
    poll: (batch) => watched(batch.provider, transport.poll(batch)),
    async *results(batch, results) {
      try {
        yield* transport.results(batch, results);
      } catch (error) {
        failed(batch.provider, error);
      }
    },
    cancel: (batch) => watched(batch.provider, transport.cancel(batch)),
    remove: (batch) => watched(batch.provider, transport.remove(batch)),
  };
}

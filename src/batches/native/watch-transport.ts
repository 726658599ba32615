import type { Provider } from '../../settings/hosts/providers.ts';
import type { BatchCallObserver } from '../../upstream/calling/provider-observers.ts';
import type { NativeTransport } from './native-transport.ts';
import { complaintIn } from './provider-complaint.ts';

/**
 * Reports to the observer how each call of a transport ends, since a batch API uses the operator's key too.
 */
export function watchTransport(transport: NativeTransport, observe: BatchCallObserver): NativeTransport {
  const fail = (provider: Provider, error: unknown): never => {
    const complaint = complaintIn(error);
    if (complaint) observe(provider.id, complaint.outcome, complaint.upstreamError);
    throw error;
  };
  const watch = async <Answer>(provider: Provider, call: Promise<Answer>): Promise<Answer> => {
    const answer = await call.catch((error: unknown) => fail(provider, error));
    observe(provider.id, 'ok');
    return answer;
  };
  return {
    settleMs: transport.settleMs,
    submit: (order) => watch(order.provider, transport.submit(order)),
    async *list(provider) {
      try {
        yield* transport.list(provider);
      } catch (error) {
        fail(provider, error);
      }
    },
    poll: (batch) => watch(batch.provider, transport.poll(batch)),
    async *results(batch, results) {
      try {
        yield* transport.results(batch, results);
      } catch (error) {
        fail(batch.provider, error);
      }
    },
    cancel: (batch) => watch(batch.provider, transport.cancel(batch)),
    remove: (batch) => watch(batch.provider, transport.remove(batch)),
  };
}

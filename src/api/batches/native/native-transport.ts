import type { Provider } from '../../../settings/hosts/providers.ts';

/** A request of a provider's own batch: `body` is JSON text, as it would be sent by itself. */
export type NativeRequest = { customId: string; body: string };

/** Requests that go together: all for one model, behind one path. */
export type NativeOrder = { provider: Provider; path: string; requests: readonly NativeRequest[] };

/** A batch at a provider, by the provider's own id. */
export type NativeBatch = { provider: Provider; upstreamId: string };

/** `results`: where they are, by the transport's own names; none where there are none. */
export type NativeState = { kind: 'running' } | { kind: 'ended'; results: readonly string[] };

/** What became of a request. `status` and `text`: of the answer to it, or of an error in its place. */
export type NativeResult = { customId: string } & (
  | { kind: 'answered'; text: string }
  | { kind: 'failed'; status: number; text: string }
  | { kind: 'canceled' }
  | { kind: 'expired' }
);

/** How one vendor takes batches. What fails throws a Refusal. */
export interface NativeTransport {
  /** Gives the provider's id of it. */
  submit(order: NativeOrder): Promise<string>;
  poll(batch: NativeBatch): Promise<NativeState>;
  /** One after the other, as they come. */
  results(batch: NativeBatch, results: readonly string[]): AsyncGenerator<NativeResult>;
  cancel(batch: NativeBatch): Promise<void>;
  /** Leaves nothing at the provider, as far as that can be. */
  remove(batch: NativeBatch): Promise<void>;
}

import type { MaybeLater } from '../../base/lib/after.ts';
import type { Usage } from '../../translation/canonical/usage.ts';
/** Receives the source of an answer's usage so far. */
export type UsageWatch = {
  watch(usageSoFar: () => Usage): void;
  /** Records that the client has left. From then on the answer is read for its usage only. */
  left(): void;
  /** Ends the count against the concurrency limit, and voids the hold of an answer that was not settled. */
  close(): MaybeLater<void>;
};

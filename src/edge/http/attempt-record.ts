import type { UpstreamError } from '../../base/errors/upstream-error.ts';

/** One call to a provider, as operators see it. It is a class so that all instances share one shape. */
export class AttemptRecord {
  readonly provider: string;
  /** The provider's name for the model. */
  readonly model: string;
  /** The catalog id of the model. */
  readonly modelId: string;
  /** Milliseconds on the monotonic clock. */
  readonly startedAtMs = performance.now();
  /** The duration of the call. `null` means that the call still runs. */
  ms: number | null = null;
  /** The HTTP status. `null` means that no answer arrived. */
  status: number | null = null;
  /** `null` means that the call succeeded. */
  error: UpstreamError | null = null;
  /** The reason of the call's failure, in one word. `null` means that it says nothing about the provider. */
  cause: string | null = null;

  constructor(provider: string, model: string, modelId: string) {
    this.provider = provider;
    this.model = model;
    this.modelId = modelId;
  }
}

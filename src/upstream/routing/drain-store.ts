/** Keeps the providers that operators have drained, until an operator ends the drain. */
export interface DrainStore {
  /** Drains a provider from this time on, or ends its drain with `null`. */
  setDrained(provider: string, since: number | null): Promise<void>;
  drainedProviders(): Promise<ReadonlySet<string>>;
}

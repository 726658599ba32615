const STOP_SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/**
 * Heard from the first moment of a start on: a SIGHUP without a listener ends the process. What comes before the server is ready waits
 * until it is.
 */
export class ProcessSignals {
  readonly #stop = Promise.withResolvers<void>();
  #isStopping = false;
  #isReloadAsked = false;
  #reload: (() => void) | undefined;

  constructor(source: NodeJS.Process) {
    source.on('SIGHUP', () => this.#askForReload());
    for (const signal of STOP_SIGNALS) {
      source.on(signal, () => {
        // Who asks a second time does not want to wait.
        if (this.#isStopping) source.exit(1);
        this.#isStopping = true;
        this.#stop.resolve();
      });
    }
  }

  /** Resolves when the process is to end. */
  get stopped(): Promise<void> {
    return this.#stop.promise;
  }

  onReload(reload: () => void): void {
    this.#reload = reload;
    if (this.#isReloadAsked) this.#askForReload();
  }

  #askForReload(): void {
    if (this.#isStopping) return;
    this.#isReloadAsked = true;
    this.#reload?.();
  }
}

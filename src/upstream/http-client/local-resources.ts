import { codeOfError } from '../../base/lib/error-code.ts';
import { lookUp } from '../../base/lib/records.ts';
import { portsAreShort } from './ports-are-short.ts';

/** A limited resource of this machine that a call needs. */
export type LocalResource = 'descriptors' | 'ports' | 'buffers';

/** A call failed because this machine lacks a resource. The failure says nothing about the host. */
export class LocallyStarved extends Error {
  override readonly name = 'LocallyStarved';
  readonly resource: LocalResource;

  constructor(resource: LocalResource, cause: unknown) {
    super(`this machine is out of ${resource}`, { cause });
    this.resource = resource;
  }
}

/** The errors of `connect(2)` and `socket(2)`. */
const resourceByCode: Readonly<Record<string, LocalResource>> = {
  EMFILE: 'descriptors',
  ENFILE: 'descriptors',
  ENOBUFS: 'buffers',
  ENOMEM: 'buffers',
  EADDRNOTAVAIL: 'ports',
};

/** The time without a failure after which a shortage is over. */
const OVER_AFTER_MS = 10_000;

export type LocalResourcesParts = {
  descriptorsAreGone(): boolean;
  arePortsShort?: () => boolean;
  /** Learns once that calls fail for lack of a resource, and once that they no longer do. */
  onChange(resource: LocalResource, state: 'exhausted' | 'back'): void;
};

/** Explains the error of a call that has no answer. */
export type ErrorExplainer = { explain(error: unknown): unknown };

/** Distinguishes shortages of this machine from faults of a host. */
export class LocalResources implements ErrorExplainer {
  readonly #parts: LocalResourcesParts;
  readonly #out = new Map<LocalResource, Timer>();
  readonly counts: Readonly<Record<LocalResource, { failures: number }>> = {
    descriptors: { failures: 0 },
    ports: { failures: 0 },
    buffers: { failures: 0 },
  };

  constructor(parts: LocalResourcesParts) {
    this.#parts = parts;
  }

  /** Returns the error of a call without an answer, or a LocallyStarved error if this machine caused it. */
  explain(error: unknown): unknown {
    const resource = this.#lackedFor(error);
    if (resource === undefined) return error;
    this.#note(resource);
    return new LocallyStarved(resource, error);
  }

  close(): void {
    for (const timer of this.#out.values()) clearTimeout(timer);
    this.#out.clear();
  }

  #lackedFor(error: unknown): LocalResource | undefined {
    const code = codeOfError(error);
    const resource = lookUp(resourceByCode, code);
    if (resource === 'ports') {
      // A machine without IPv6 reports the same error for every IPv6 address.
      const { arePortsShort = portsAreShort } = this.#parts;
      return arePortsShort() ? 'ports' : undefined;
    }
    if (resource) return resource;
    // Without descriptors the runtime reports ECONNREFUSED when it gets no socket, and ENOTFOUND when it
    // cannot look up an address.
    return typeof code === 'string' && this.#parts.descriptorsAreGone() ? 'descriptors' : undefined;
  }

  #note(resource: LocalResource): void {
    this.counts[resource].failures++;
    const timerOfShortage = this.#out.get(resource);
    if (timerOfShortage) timerOfShortage.refresh();
    else {
      this.#parts.onChange(resource, 'exhausted');
      const timer = setTimeout(() => this.#isOver(resource), OVER_AFTER_MS);
      timer.unref();
      this.#out.set(resource, timer);
    }
  }

  #isOver(resource: LocalResource): void {
    this.#out.delete(resource);
    this.#parts.onChange(resource, 'back');
  }
}

import { readFileSync } from 'node:fs';

/** What this machine has only so much of, and a call needs. */
export type LocalResource = 'descriptors' | 'ports' | 'buffers';

/** A call that failed for want of something on this machine: it says nothing about the host that was called. */
export class LocallyStarved extends Error {
  override readonly name = 'LocallyStarved';
  readonly resource: LocalResource;

  constructor(resource: LocalResource, cause: unknown) {
    super(`this machine is out of ${resource}`, { cause });
    this.resource = resource;
  }
}

/** `connect(2)` and `socket(2)`. */
const resourceOf: Readonly<Record<string, LocalResource>> = {
  EMFILE: 'descriptors',
  ENFILE: 'descriptors',
  ENOBUFS: 'buffers',
  ENOMEM: 'buffers',
  EADDRNOTAVAIL: 'ports',
};

/** It is over when no call has failed for want of it for so long. */
const OVER_AFTER_MS = 10_000;

export type LocalResourcesParts = {
  descriptorsAreGone(): boolean;
  portsAreShort?: () => boolean;
  /** Told once when calls begin to fail for want of it, and once when they no longer do. */
  changed(resource: LocalResource, isOut: boolean): void;
};

/** Tells what this machine lacks from what a host does wrong. */
export class LocalResources {
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

  /** The error of a call that got no answer, or that it is our own machine's. */
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
    const { code } = error as { code?: unknown };
    const resource = typeof code === 'string' ? resourceOf[code] : undefined;
    if (resource === 'ports') {
      // A machine without IPv6 says the same of every address that is one.
      const { portsAreShort = portsAreInUse } = this.#parts;
      return portsAreShort() ? 'ports' : undefined;
    }
    if (resource) return resource;
    // The runtime says ECONNREFUSED where it gets no socket, and ENOTFOUND where it cannot ask for an address.
    return typeof code === 'string' && this.#parts.descriptorsAreGone() ? 'descriptors' : undefined;
  }

  #note(resource: LocalResource): void {
    this.counts[resource].failures++;
    const before = this.#out.get(resource);
    if (before) before.refresh();
    else {
      this.#parts.changed(resource, true);
      const timer = setTimeout(() => this.#isOver(resource), OVER_AFTER_MS);
      timer.unref();
      this.#out.set(resource, timer);
    }
  }

  #isOver(resource: LocalResource): void {
    this.#out.delete(resource);
    this.#parts.changed(resource, false);
  }
}

const SHORT_FROM_SHARE = 0.5;

/** Whether sockets take up at least half of the ports that the system gives out by itself. True where that cannot be told. */
function portsAreInUse(): boolean {
  try {
    const [first, last] = read('/proc/sys/net/ipv4/ip_local_port_range').trim().split(/\s+/).map(Number);
    const [, open, waiting] = /^TCP: inuse (\d+) orphan \d+ tw (\d+)/m.exec(read('/proc/net/sockstat'))!;
    const open6 = /^TCP6: inuse (\d+)/m.exec(read('/proc/net/sockstat6'))?.[1] ?? 0;
    const inUse = Number(open) + Number(waiting) + Number(open6);
    return inUse >= (last! - first! + 1) * SHORT_FROM_SHARE;
  } catch {
    return true;
  }
}

const read = (file: string): string => readFileSync(file, 'utf8');

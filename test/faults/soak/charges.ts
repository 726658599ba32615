import { drawRequest } from './draw-request.ts';
import type { SentRequest } from './sent-request.ts';
import type { SoakEntry } from './soak-entry.ts';
import { modelOf } from './soak-models.ts';

/** A request is admitted at the earliest when it is sent, by the same clock. */
const ADMITTED_BEFORE_MS = 5;
const ADMITTED_WITHIN_MS = 5_000;

/** Entries, each with the request that it is of. */
export class Charges {
  readonly #entries: Map<string, SoakEntry[]>;
  readonly #ofRequest = new Map<SentRequest, readonly SoakEntry[]>();

  constructor(seed: number, entries: readonly SoakEntry[], sent: readonly SentRequest[]) {
    this.#entries = Map.groupBy(entries, ({ requestId }) => requestId);
    for (const one of sent) if (one.requestId !== undefined) this.#claim(one, one.requestId);
    const headless = Map.groupBy(
      sent.filter(({ requestId }) => requestId === undefined).sort((one, other) => one.sentAt - other.sentAt),
      ({ keyId, number }) => `${keyId} ${modelOf(drawRequest(seed, number).model).id}`,
    );
    for (const { requestId, keyId, model, at } of this.left()) {
      const owner = headless.get(`${keyId} ${model}`)?.findLast((one) => couldBeOf(one, at));
      if (owner && !this.#ofRequest.has(owner)) this.#claim(owner, requestId);
    }
  }

  of(sent: SentRequest): readonly SoakEntry[] {
    return this.#ofRequest.get(sent) ?? [];
  }

  /** Of no request that was sent. */
  left(): SoakEntry[] {
    return [...this.#entries.values()].flat();
  }

  #claim(sent: SentRequest, requestId: string): void {
    const own = this.#entries.get(requestId);
    if (own) this.#ofRequest.set(sent, own);
    this.#entries.delete(requestId);
  }
}

/** A request whose head never came is known by its key, its model and its time. */
const couldBeOf = ({ sentAt, endedAt }: SentRequest, admittedAt: number): boolean =>
  sentAt - ADMITTED_BEFORE_MS <= admittedAt && admittedAt < endedAt + ADMITTED_WITHIN_MS;

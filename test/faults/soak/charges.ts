import type { CallRecord } from './call-record.ts';
import { drawRequest } from './draw-request.ts';
import type { SentRequest } from './sent-request.ts';
import type { SoakEntry } from './soak-entry.ts';
import { modelOf } from './soak-models.ts';

/** A request is admitted at the earliest when it is sent, by the same clock. */
const ADMITTED_BEFORE_MS = 5;
const ADMITTED_WITHIN_MS = 5_000;

type Parts = {
  seed: number;
  entries: readonly SoakEntry[];
  sent: readonly SentRequest[];
  callsOf: ReadonlyMap<number, readonly CallRecord[]>;
};

/** Entries, each with the request that it is of. */
export class Charges {
  readonly #entries: Map<string, SoakEntry[]>;
  readonly #ofRequest = new Map<SentRequest, readonly SoakEntry[]>();

  constructor({ seed, entries, sent, callsOf }: Parts) {
    this.#entries = Map.groupBy(entries, ({ requestId }) => requestId);
    for (const one of sent) if (one.requestId !== undefined) this.#claim(one, one.requestId);
    const headless = Map.groupBy(
      sent.filter(({ requestId }) => requestId === undefined),
      ({ keyId, number }) => `${keyId} ${modelOf(drawRequest(seed, number).model).id}`,
    );
    const inputOf = ({ number }: SentRequest) => callsOf.get(number)?.map(({ usage }) => usage.input) ?? [];
    for (const entry of this.left()) {
      const some =
        headless.get(`${entry.keyId} ${entry.model}`)?.filter((one) => couldBeOf(one, entry.at)) ?? [];
      const [owner] = some
        .filter((one) => !this.#ofRequest.has(one))
        .map((one) => ({ one, distance: distance(inputOf(one), entry.input) }))
        .filter(({ distance }) => Number.isFinite(distance))
        .sort((one, other) => one.distance - other.distance);
      if (owner) this.#claim(owner.one, entry.requestId);
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

/** How far the calls' input is from the entry's; infinitely far, where none was made. */
const distance = (inputs: readonly number[], input: number): number =>
  inputs.length === 0 ? Number.POSITIVE_INFINITY : Math.abs(inputs.reduce((sum, one) => sum + one) - input);

/** A request whose head never came is known by its key, its model, its time and the length of its prompt. */
const couldBeOf = ({ sentAt, endedAt }: SentRequest, admittedAt: number): boolean =>
  sentAt - ADMITTED_BEFORE_MS <= admittedAt && admittedAt < endedAt + ADMITTED_WITHIN_MS;

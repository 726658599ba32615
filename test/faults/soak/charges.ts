import type { CallRecord } from './call-record.ts';
import { sumUsage, usageAtEnd } from './call-usage.ts';
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
    const pairs = this.left().flatMap((entry) =>
      (headless.get(`${entry.keyId} ${entry.model}`) ?? [])
        .filter((one) => couldBeOf(one, entry.at))
        .map((one) => ({ one, entry, distance: distance(callsOf.get(one.number) ?? [], entry) })),
    );
    // The likeliest first.
    for (const { one, entry } of pairs.sort((a, b) => a.distance - b.distance))
      if (!this.#ofRequest.has(one)) this.#claim(one, entry.requestId);
  }

  of(sent: SentRequest): readonly SoakEntry[] {
    return this.#ofRequest.get(sent) ?? [];
  }

  /** Returns the entries of no request that was sent. */
  left(): SoakEntry[] {
    return [...this.#entries.values()].flat();
  }

  #claim(sent: SentRequest, requestId: string): void {
    const own = this.#entries.get(requestId);
    if (own) this.#ofRequest.set(sent, own);
    this.#entries.delete(requestId);
  }
}

/**
 * Returns the distance between the tokens of the calls and those of the entry, with failed calls or without.
 */
function distance(calls: readonly CallRecord[], { input, output, served }: SoakEntry): number {
  const own = calls.filter(({ model }) => model === served);
  const from = (some: readonly CallRecord[]) => {
    const sum = sumUsage(some.map(usageAtEnd));
    return Math.abs(sum.input - input) + Math.abs(sum.output - output);
  };
  return Math.min(from(own), from(own.filter(({ ending }) => ending !== 'failed')));
}

/** A request whose head never came is known by its key, its model, its time and the length of its prompt. */
const couldBeOf = ({ sentAt, endedAt }: SentRequest, admittedAt: number): boolean =>
  sentAt - ADMITTED_BEFORE_MS <= admittedAt && admittedAt < endedAt + ADMITTED_WITHIN_MS;

import type { Json } from '../call.ts';
import { HIDDEN } from '../recording-upstream.ts';

export type NativeEntry = { customId: string; body: Json };

export type NativeBatch = {
  id: string;
  entries: NativeEntry[];
  isEnded: boolean;
  isCanceled: boolean;
  createdMs: number;
  /** The id of the file with the entries, and the metadata, for the vendor that has both. */
  inputFile?: string;
  metadata?: Json;
};

/** The batches and files of an upstream. */
export class NativeBatches {
  readonly batches = new Map<string, NativeBatch>();
  readonly files = new Map<string, string>();
  /** The bodies of the requests in all batches. */
  readonly bodies: Json[] = [];
  /** The number of requests in all batches that were ever created. */
  taken = 0;
  endsAtOnce = true;
  #ids = 0;
  #usage: Json = {};
  #fields: Json = {};

  newId(prefix: string): string {
    return `${prefix}${HIDDEN}${++this.#ids}`;
  }

  create(
    prefix: string,
    entries: NativeEntry[],
    fields: { inputFile?: string; metadata?: Json } = {},
  ): NativeBatch {
    const batch = {
      id: this.newId(prefix),
      entries,
      isEnded: this.endsAtOnce,
      isCanceled: false,
      createdMs: Date.now(),
      ...fields,
    };
    this.batches.set(batch.id, batch);
    this.taken += entries.length;
    this.bodies.push(...entries.map(({ body }) => body));
    return batch;
  }

  cancel(id: string): void {
    const batch = this.batches.get(id)!;
    if (!batch.isEnded) Object.assign(batch, { isCanceled: true, isEnded: true });
  }

  endAll(): void {
    for (const batch of this.batches.values()) batch.isEnded = true;
  }

  /** Returns the batches of one vendor, the newest first. */
  list(prefix: string): NativeBatch[] {
    return [...this.batches.values()].filter(({ id }) => id.startsWith(prefix)).reverse();
  }

  /** Adds members to the usage of the next results, and to the answers themselves. */
  report(usage: Json, fields: Json): void {
    this.#usage = usage;
    this.#fields = fields;
  }

  /** Returns an answer with the reported members. */
  reported(answer: Json): Json {
    return { ...answer, ...this.#fields, usage: { ...answer.usage, ...this.#usage } };
  }

  forget(): void {
    this.taken = 0;
    this.bodies.length = 0;
    this.batches.clear();
    this.files.clear();
  }
}

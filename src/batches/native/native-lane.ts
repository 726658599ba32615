import type { Wire } from '../../canonical/wire.ts';
import { Refusal } from '../../errors/refusal.ts';
import { refusalOfError } from '../../errors/refusal-of-error.ts';
import type { Carriage } from '../../protocols/dialect.ts';
import type { Provider } from '../../providers/providers.ts';
import type { Target } from '../../providers/target.ts';
import { failureOfStatus } from '../../providers/upstream-failure.ts';
import type { ClaimedItem } from '../batch.ts';
import type { ItemEnd, ItemRun } from '../batch-runner.ts';
import type { RunningBatch } from '../batch-store.ts';
import { type NativeGroup, NativeGroups } from './native-groups.ts';
import type { NativeStore, Submission } from './native-store.ts';
import type { NativeResult, NativeTransport } from './native-transport.ts';
import { OpenSubmission } from './open-submission.ts';

/** A request on its way to a provider: what is sent, and to whom. */
export type Packed = { target: Target; carriage: Carriage };

/** Which of a model's targets, and the answer that it gave. */
export type Delivered = Pick<Submission, 'provider' | 'wire' | 'upstreamModel'> & { text: string };

export type NativeLaneParts = {
  store: NativeStore;
  transports: Partial<Record<Wire, NativeTransport>>;
  providerOf(id: string): Provider | undefined;
  /** The item as it would be sent natively, or why it cannot be. */
  pack(item: ClaimedItem, batch: RunningBatch): Promise<Packed | Refusal>;
  /** The same by itself, where it cannot. */
  runAlone(item: ClaimedItem, batch: RunningBatch, signal: AbortSignal): ItemRun;
  /** Makes a result of an answer that has come; undefined: it is written with what it costs. */
  deliver(item: ClaimedItem, batch: RunningBatch, answer: Delivered): Promise<Refusal | undefined>;
  onFailure(error: unknown): void;
};

/** An item that is with a provider. */
export type ItemAway = { item: ClaimedItem; batch: RunningBatch; end(ended: ItemEnd): void };

/**
 * Runs items of batches by the providers' own batches: those for one model go together. What a provider has is written down, so that
 * after a restart it is asked for and not sent again.
 */
export class NativeLane {
  readonly #parts: NativeLaneParts;
  readonly #groups: NativeGroups;
  /** By number. */
  readonly #open = new Map<number, Promise<OpenSubmission | undefined>>();
  #isClosed = false;

  constructor(parts: NativeLaneParts) {
    this.#parts = parts;
    this.#groups = new NativeGroups((group) => void this.#submit(group));
  }

  run(item: ClaimedItem, batch: RunningBatch, signal: AbortSignal): ItemRun {
    const { promise, resolve } = Promise.withResolvers<ItemEnd>();
    const away: ItemAway = { item, batch, end: resolve };
    signal.addEventListener('abort', () => resolve(new Refusal('capacity_unavailable')));
    let alone: ItemRun | undefined;
    const begin = async (): Promise<void> => {
      if (item.submission !== null && (await this.#rejoin(item.submission, away))) return;
      const packed = await this.#parts.pack(item, batch);
      if (!(packed instanceof Refusal)) return this.#groups.add(away, packed);
      if (batch.mode === 'native-required') return resolve(packed);
      alone = this.#parts.runAlone(item, batch, signal);
      resolve(await alone.done);
    };
    begin().catch((error: unknown) => resolve(refusalOfError(error)));
    // What is with a provider finishes unless the provider calls it off.
    return { done: promise, hasBegun: () => alone?.hasBegun() ?? true };
  }

  /** Asks the providers to begin nothing more of it; what they say then is its result. */
  cancel(batch: number): void {
    this.#groups.drop(batch);
    void this.#each((submission) => (submission.batch === batch ? submission.cancel() : undefined));
  }

  close(): void {
    this.#isClosed = true;
    this.#groups.close();
    void this.#each((submission) => submission.close());
  }

  async #each(what: (submission: OpenSubmission) => void): Promise<void> {
    for (const opening of this.#open.values()) {
      const submission = await opening.catch(() => undefined);
      if (submission) what(submission);
    }
  }

  /** False: the provider does not have it. */
  async #rejoin(id: number, away: ItemAway): Promise<boolean> {
    let opening = this.#open.get(id);
    if (!opening) {
      opening = this.#reopen(id);
      this.#open.set(id, opening);
    }
    const submission = await opening;
    submission?.join(away);
    return submission !== undefined;
  }

  async #reopen(id: number): Promise<OpenSubmission | undefined> {
    const found = await this.#parts.store.findSubmission(id);
    const provider = found && this.#parts.providerOf(found.provider);
    if (found?.upstreamId && provider)
      return this.#watch(id, { ...found, upstreamId: found.upstreamId }, provider);
    if (found) await this.#parts.store.closeSubmission(id);
    this.#open.delete(id);
    return undefined;
  }

  async #submit({ batch, target, wire, path, items }: NativeGroup): Promise<void> {
    const { store, transports, onFailure } = this.#parts;
    const { provider, upstreamModel } = target;
    const submission = { batch, provider: provider.id, wire, upstreamModel, upstreamId: null };
    let id: number | undefined;
    try {
      id = await store.createSubmission(
        submission,
        items.map(({ away }) => away.item.lease.number),
      );
      const requests = items.map(({ away, body }) => ({ customId: customIdOf(away), body }));
      const upstreamId = await transports[wire]!.submit({ provider, path, requests });
      await store.openSubmission(id, upstreamId);
      const open = this.#watch(id, { ...submission, upstreamId }, provider);
      this.#open.set(id, Promise.resolve(open));
      for (const { away } of items) open.join(away);
    } catch (error) {
      if (id !== undefined) await store.closeSubmission(id).catch(onFailure);
      const refusal = refusalOfError(error);
      for (const { away } of items) away.end(refusal);
    }
  }

  #watch(id: number, known: Submission & { upstreamId: string }, provider: Provider): OpenSubmission {
    const { store, transports, onFailure } = this.#parts;
    const submission = new OpenSubmission({
      known,
      provider,
      transport: transports[known.wire]!,
      take: (away, result) => this.#take(away, result, known),
      ended: async () => {
        this.#open.delete(id);
        await store.closeSubmission(id);
      },
      onFailure,
    });
    if (this.#isClosed) submission.close();
    else submission.start();
    return submission;
  }

  async #take({ item, batch }: ItemAway, result: NativeResult, from: Submission): Promise<ItemEnd> {
    if (result.kind === 'canceled' || result.kind === 'expired') return result.kind;
    if (result.kind === 'failed') return failureOfStatus(result.status, result.text, new Headers()).refusal;
    const { number } = item.lease;
    const params = await this.#parts.store.readParams(item.lease.batch, number);
    if (params === undefined) return 'expired'; // swept meanwhile
    return this.#parts.deliver({ ...item, params }, batch, { ...from, text: result.text });
  }
}

/** Clients' own names of items are nobody's business upstream. */
export const customIdOf = ({ item }: ItemAway): string => `item-${item.lease.number}`;

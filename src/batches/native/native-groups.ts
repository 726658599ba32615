import type { HoldCheckpoint } from '../../money/ledger/ledger-store.ts';
import type { Target } from '../../settings/hosts/target.ts';
import type { NativeItem } from './native-item.ts';
import type { NativeWire } from './native-wire.ts';
import type { PackedRequest } from './packed-request.ts';

export type PackedItem = { nativeItem: NativeItem; body: string; held: HoldCheckpoint };

/** Items of one batch for the same target, wire and path. */
export type NativeGroup = {
  batch: number;
  target: Target;
  wire: NativeWire;
  path: string;
  /** The protocol version that the request of the batch named. `null` means none. */
  version: string | null;
  items: PackedItem[];
  characters: number;
};

/** A group that still collects items. */
type OpenGroup = NativeGroup & { timer: Timer | undefined };

/** The limits of one submission, which also bound the memory of a group. */
const MAX_CHARACTERS = 8 * 1024 * 1024;
const MAX_ITEMS = 1_000;
/** A group is sent when no further item has been packed for this time. */
const PAUSE_MS = 250;

/** Collects packed items into groups, and sends a group when it is full or no more items follow. */
export class NativeGroups {
  readonly #send: (group: NativeGroup) => void;
  readonly #groups = new Map<string, OpenGroup>();

  constructor(send: (group: NativeGroup) => void) {
    this.#send = send;
  }

  add(nativeItem: NativeItem, { target, wire, carriage, held, version }: PackedRequest): void {
    const { batch } = nativeItem.item.lease;
    const { path, body } = carriage;
    const key = [batch, target.provider.id, target.upstreamModel, wire, path].join('\n');
    const group = this.#groups.get(key) ?? this.#newGroup(key, { batch, target, wire, path, version });
    group.items.push({ nativeItem, body, held });
    group.characters += body.length;
    nativeItem.forgetParams(); // loaded again with the answer
    clearTimeout(group.timer);
    if (group.items.length >= MAX_ITEMS || group.characters >= MAX_CHARACTERS) this.#flush(key);
    else group.timer = setTimeout(() => this.#flush(key), PAUSE_MS);
  }

  /** Drops the groups of a canceled batch. */
  drop(batch: number): void {
    for (const [key, group] of this.#groups) {
      if (group.batch !== batch) continue;
      this.#forget(key, group);
      for (const { nativeItem } of group.items) nativeItem.end('canceled');
    }
  }

  close(): void {
    for (const [key, group] of this.#groups) this.#forget(key, group);
  }

  #newGroup(key: string, sharedFacts: Omit<NativeGroup, 'items' | 'characters'>): OpenGroup {
    const group: OpenGroup = { ...sharedFacts, items: [], characters: 0, timer: undefined };
    this.#groups.set(key, group);
    return group;
  }

  #forget(key: string, { timer }: OpenGroup): void {
    clearTimeout(timer);
    this.#groups.delete(key);
  }

  #flush(key: string): void {
    const group = this.#groups.get(key);
    this.#groups.delete(key);
    if (group) this.#send(group);
  }
}

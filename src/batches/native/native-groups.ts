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
    const name = [batch, target.provider.id, target.upstreamModel, wire, path].join('\n');
    const group = this.#groups.get(name) ?? this.#newGroup(name, { batch, target, wire, path, version });
    group.items.push({ nativeItem, body, held });
    group.characters += body.length;
    nativeItem.forgetParams(); // read again from the store when the answer arrives
    clearTimeout(group.timer);
    if (group.items.length >= MAX_ITEMS || group.characters >= MAX_CHARACTERS) this.#flush(name);
    else group.timer = setTimeout(() => this.#flush(name), PAUSE_MS);
  }

  /** Drops the groups of a canceled batch. */
  drop(batch: number): void {
    for (const [name, group] of this.#groups) {
      if (group.batch !== batch) continue;
      this.#forget(name, group);
      for (const { nativeItem } of group.items) nativeItem.end('canceled');
    }
  }

  close(): void {
    for (const [name, group] of this.#groups) this.#forget(name, group);
  }

  #newGroup(name: string, sharedFacts: Omit<NativeGroup, 'items' | 'characters'>): OpenGroup {
    const group: OpenGroup = { ...sharedFacts, items: [], characters: 0, timer: undefined };
    this.#groups.set(name, group);
    return group;
  }

  #forget(name: string, { timer }: OpenGroup): void {
    clearTimeout(timer);
    this.#groups.delete(name);
  }

  #flush(name: string): void {
    const group = this.#groups.get(name);
    this.#groups.delete(name);
    if (group) this.#send(group);
  }
}

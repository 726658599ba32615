/** The client that a hash is computed for. */
export type HashingGuest = {
  /** The widest network of the client. Networks take turns. */
  network: string;
  /** The device of an earlier sign-in of the person. */
  device?: string | undefined;
};

/** A hash that waits for its turn. */
export type WaitingHash = { guest: HashingGuest; start(): void; refuse(): void };

/**
 * The lines of the hashes that wait: one place for each known device, and a line for each network. Devices
 * and networks alternate, and networks take turns.
 */
export class HashingLines {
  /** The most places of devices, and as many of networks. */
  readonly #maxPlaces: number;
  readonly #byDevice = new Map<string, WaitingHash>();
  readonly #byNetwork = new Map<string, WaitingHash[]>();
  /** The places of all networks. */
  #networkPlaces = 0;
  #lastWasOfDevice = false;

  constructor(maxPlaces: number) {
    this.#maxPlaces = maxPlaces;
  }

  get size(): number {
    return this.#networkPlaces + this.#byDevice.size;
  }

  /** Adds a hash. Returns false if no place is free, even after another network has given one up. */
  add(waiting: WaitingHash): boolean {
    const { device, network } = waiting.guest;
    if (device !== undefined && !this.#byDevice.has(device) && this.#byDevice.size < this.#maxPlaces) {
      this.#byDevice.set(device, waiting);
      return true;
    }
    if (this.#networkPlaces >= this.#maxPlaces && !this.#giveUpPlace(network)) return false;
    const line = this.#byNetwork.get(network);
    if (line) line.push(waiting);
    else this.#byNetwork.set(network, [waiting]);
    this.#networkPlaces++;
    return true;
  }

  /** Removes and returns the next hash. */
  next(): WaitingHash | undefined {
    return this.#lastWasOfDevice
      ? (this.#nextOfNetwork() ?? this.#nextOfDevice())
      : (this.#nextOfDevice() ?? this.#nextOfNetwork());
  }

  /**
   * Refuses the latest hash of the network with the most places, if that network has at least two places more
   * than the given network.
   */
  #giveUpPlace(network: string): boolean {
    const [longest] = [...this.#byNetwork.values()].sort((a, b) => b.length - a.length);
    if (!longest || longest.length < (this.#byNetwork.get(network)?.length ?? 0) + 2) return false;
    longest.pop()!.refuse();
    this.#networkPlaces--;
    return true;
  }

  #nextOfDevice(): WaitingHash | undefined {
    const [first] = this.#byDevice;
    if (!first) return undefined;
    const [device, waiting] = first;
    this.#lastWasOfDevice = true;
    this.#byDevice.delete(device);
    return waiting;
  }

  #nextOfNetwork(): WaitingHash | undefined {
    const [first] = this.#byNetwork;
    if (!first) return undefined;
    this.#lastWasOfDevice = false;
    const [network, line] = first;
    const next = line.shift()!; // no line is empty
    // The network goes to the end of the round.
    this.#byNetwork.delete(network);
    if (line.length > 0) this.#byNetwork.set(network, line);
    this.#networkPlaces--;
    return next;
  }
}

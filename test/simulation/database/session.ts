import type { Peer, UpstreamSocket } from '../network/upstream-socket.ts';
import { MessageCutter } from './message-cutter.ts';
import { canceledBy, errorMessage, type Message, message, ready } from './messages.ts';

/**
 * Messages that the server answers together: up to a `Sync`, a simple query, or the end of the connection.
 */
export type Unit = { messages: readonly Message[]; isEnd: boolean };

type SessionEvents = {
  /** Called when a unit has arrived. */
  unitsAdded(): void;
  /** Called when the session is over. */
  closed(): void;
  /** Called with the id of the session whose statement its client cancels. */
  cancel(sessionId: number): void;
};

/** The parameters that the server reports. */
const parameters = {
  server_version: '18.4',
  server_encoding: 'UTF8',
  client_encoding: 'UTF8',
  in_hot_standby: 'off',
  default_transaction_read_only: 'off',
  integer_datetimes: 'on',
  standard_conforming_strings: 'on',
};

const AUTHENTICATED = message('R', 0);

/** One connection of a client to the simulated database. */
export class Session implements Peer {
  readonly id: number;
  readonly socket: UpstreamSocket;
  readonly units: Unit[] = [];
  /** The names of its statements in the build, by the names that its client uses. */
  readonly statements = new Map<string, string>();
  /** The channels to which it listens. */
  readonly channels = new Set<string>();
  isOpen = true;
  /** The longest time for which it may hold a transaction without a statement. */
  idleLimitMs: number | undefined;
  readonly #events: SessionEvents;
  readonly #cutter = new MessageCutter();
  #messages: Message[] = [];
  /** The deliveries that the network withholds. Undefined if it delivers. */
  #withheld: (() => void)[] | undefined;

  constructor(id: number, socket: UpstreamSocket, events: SessionEvents) {
    this.id = id;
    this.socket = socket;
    this.#events = events;
    socket.attach(this);
  }

  received(bytes: Buffer): void {
    this.#deliver(() => {
      for (const one of this.#cutter.take(bytes)) this.#take(one);
    });
  }

  /** Ends the session after the messages that the client has sent. */
  closed(): void {
    this.#deliver(() => this.#add({ messages: [], isEnd: true }));
  }

  send(bytes: Buffer): void {
    this.#deliver(() => this.socket.send(bytes));
  }

  /** Ends the connection from the server. */
  close(how: 'fin' | 'reset'): void {
    if (!this.isOpen) return;
    this.#deliver(() => this.socket.close(how));
    this.#leave();
  }

  /** Stops deliveries in both directions. */
  cutOff(): void {
    this.#withheld ??= [];
  }

  /** Delivers the withheld messages, or resets the connection if the systems have given up. */
  join(hasGivenUp: boolean): void {
    const withheld = this.#withheld ?? [];
    this.#withheld = undefined;
    if (hasGivenUp) this.close('reset');
    else for (const deliver of withheld) deliver();
  }

  end(): void {
    if (this.isOpen) this.#leave();
  }

  #leave(): void {
    this.isOpen = false;
    this.units.length = 0;
    this.#events.closed();
  }

  #deliver(run: () => void): void {
    if (this.#withheld) this.#withheld.push(run);
    else if (this.isOpen) run();
  }

  #take(one: Message): void {
    const early = this.#early[one.type];
    if (early) {
      early(one);
      return;
    }
    this.#messages.push(one);
    if (one.type === 'S' || one.type === 'Q') this.#add({ messages: this.#messages.splice(0), isEnd: false });
  }

  /** The handlers of messages that are no part of a unit, by type. */
  readonly #early: Record<string, (one: Message) => void> = {
    ssl: () => this.send(Buffer.from('N')),
    startup: () => this.#welcome(),
    cancel: (one) => {
      this.#events.cancel(canceledBy(one));
      this.close('fin');
    },
    X: () => this.#add({ messages: [], isEnd: true }),
  };

  #add(unit: Unit): void {
    this.units.push(unit);
    this.#events.unitsAdded();
  }

  #welcome(): void {
    const reports = Object.entries(parameters).map(([name, value]) => message('S', name, value));
    this.send(Buffer.concat([AUTHENTICATED, ...reports, message('K', this.id, 0), ready]));
  }

  /** Fails the first statement that waits. */
  cancel(): void {
    if (!this.units[0] || this.units[0].isEnd) return;
    this.units.shift();
    this.send(
      Buffer.concat([errorMessage('ERROR', '57014', 'canceling statement due to user request'), ready]),
    );
  }
}

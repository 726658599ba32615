import { countUp } from '../../../src/base/lib/testing/count-up.ts';
import type { Draws } from '../kernel/draws.ts';
import type { Simulation } from '../kernel/simulation.ts';
import type { Task } from '../kernel/task.ts';
import type { Listener } from '../network/connect.ts';
import type { UpstreamSocket } from '../network/upstream-socket.ts';
import { execPrepared } from './exec-prepared.ts';
import { cutAnswer } from './message-cutter.ts';
import { errorMessage, type Message, message, query, statementOf, textOf } from './messages.ts';
import type { PostgresBuild } from './postgres-build.ts';
import { Session, type Unit } from './session.ts';

export const DATABASE_PORT = 5432;

/** The troubles that a unit of messages can meet. */
const databaseTroubles = ['cut before', 'cut behind', 'deadlock', 'slow', 'stop'] as const;
type DatabaseTrouble = (typeof databaseTroubles)[number];

const SLOW_MS = 6_000;
/** Rolls back the open transaction of a session whose client has gone. */
const ROLLBACK = query('ROLLBACK');
const DEADLOCK = query(`DO $$ BEGIN RAISE EXCEPTION 'deadlock detected' USING ERRCODE = '40P01'; END $$`);
const idleLimit = /SET LOCAL idle_in_transaction_session_timeout = (\d+)/;
const listening = /^LISTEN "(.*)"$/;

/**
 * The database of all nodes. Its many sessions share the single session of one build of Postgres, so the
 * units of a transaction run without units of other sessions between them.
 */
export class DatabaseServer implements Listener {
  readonly #simulation: Simulation;
  readonly #build: PostgresBuild;
  readonly #random: Draws;
  readonly #sessions = new Set<Session>();
  #count = 0;
  /** The session whose transaction is open. */
  #owner: Session | undefined;
  #working: Task | undefined;
  #idle: Task | undefined;
  #isDown = false;
  /** The host whose packets are dropped. */
  #cutOff: string | undefined;
  /** The spans in which a node could not reach the database. */
  readonly cuts: { node: string; at: number; until: number }[] = [];
  /** The share of units that meet trouble. */
  trouble = 0;
  /** The time of each crash and of the start after it. */
  readonly crashes: { at: number; until: number }[] = [];
  /** Counts the troubles. */
  readonly counts: Record<string, number> = {};

  constructor(simulation: Simulation, build: PostgresBuild) {
    this.#simulation = simulation;
    this.#build = build;
    this.#random = simulation.draws('database');
  }

  accept(socket: UpstreamSocket): 'accepted' | 'refused' | 'silent' {
    if (this.#isDown) return this.#random.chance(0.7) ? 'refused' : 'silent';
    if (this.#isCutOff(socket)) return 'silent';
    const session = new Session(++this.#count, socket, {
      unitsAdded: () => this.#pump(),
      closed: () => this.#leave(session),
      cancel: (processId) => this.#cancel(processId),
    });
    this.#sessions.add(session);
    return 'accepted';
  }

  /** Ends all sessions, and refuses connections for a while. A crash empties the unlogged tables. */
  restart(downMs: number, how: 'restart' | 'crash'): void {
    if (this.#isDown) return;
    this.#simulation.note(`the database has a ${how}`);
    this.#isDown = true;
    for (const session of [...this.#sessions]) session.close(how === 'crash' ? 'reset' : 'fin');
    if (how === 'crash') {
      this.#forget();
      this.crashes.push({ at: this.#simulation.now, until: this.#simulation.now + downMs });
    }
    this.#simulation.after(
      downMs,
      'the database starts',
      () => {
        this.#isDown = false;
      },
      this.#simulation.outside,
    );
  }

  /** Drops all packets between a node and the database. */
  cutOff(name: string): void {
    this.#cutOff = name;
    this.cuts.push({ node: name, at: this.#simulation.now, until: Number.POSITIVE_INFINITY });
    for (const session of this.#sessions) if (this.#isCutOff(session.socket)) session.cutOff();
  }

  /** Delivers packets between all nodes and the database again. */
  join(): void {
    this.#cutOff = undefined;
    const cut = this.cuts.at(-1);
    if (cut) cut.until = Math.min(cut.until, this.#simulation.now);
    for (const session of [...this.#sessions]) session.join(this.#random.chance(0.5));
  }

  /** Runs a statement for the checks, when no transaction is open. Each row has the texts of its columns. */
  async read(text: string): Promise<(string | null)[][]> {
    while (this.#owner) await this.#simulation.sleep(1, 'waits for the database');
    const answer = cutAnswer(this.#build.exec(query(text)));
    const failure = answer.find(({ type }) => type === 'E');
    if (failure) throw new Error(`${failure.bytes.toString('latin1')}: ${text}`);
    return answer.filter(({ type }) => type === 'D').map(({ bytes }) => columnsOf(bytes));
  }

  #isCutOff(socket: UpstreamSocket): boolean {
    return this.#cutOff !== undefined && socket.host.name.startsWith(`${this.#cutOff}/`);
  }

  #forget(): void {
    const text = `SELECT 'TRUNCATE ' || string_agg(oid::regclass::text, ', ') FROM pg_class
      WHERE relpersistence = 'u' AND relkind = 'r'`;
    const row = cutAnswer(this.#build.exec(query(text))).find(({ type }) => type === 'D');
    const [truncate] = row ? columnsOf(row.bytes) : [];
    if (truncate) this.#build.exec(query(truncate));
  }

  #leave(session: Session): void {
    this.#sessions.delete(session);
    if (this.#owner === session) this.#rollBack();
    this.#pump();
  }

  #rollBack(): void {
    this.#build.exec(ROLLBACK);
    this.#disown();
  }

  #disown(): void {
    this.#owner = undefined;
    if (this.#idle) this.#idle.isCanceled = true;
  }

  #cancel(processId: number): void {
    for (const session of this.#sessions) if (session.id === processId) session.cancel();
  }

  /** Chooses the session that continues, and lets it work for a while. */
  #pump(): void {
    if (this.#working) return;
    const waiting = [...(this.#owner ? [this.#owner] : this.#sessions)].filter(
      ({ units }) => units.length > 0,
    );
    if (waiting.length === 0) return;
    const session = this.#random.of(waiting);
    const trouble = this.#random.chance(this.trouble) ? this.#random.of(databaseTroubles) : undefined;
    if (trouble) countUp(this.counts, trouble);
    const workMs = trouble === 'slow' ? this.#random.between(100, SLOW_MS) : this.#random.skewed(0.02, 3);
    const work = () => {
      this.#working = undefined;
      const unit = session.units.shift();
      if (unit && session.isOpen) this.#work(session, unit, trouble);
      this.#pump();
    };
    this.#working = this.#simulation.after(workMs, `database ${session.id}`, work, this.#simulation.outside);
  }

  #work(session: Session, unit: Unit, trouble: DatabaseTrouble | undefined): void {
    if (trouble) this.#simulation.note(`database ${session.id}: ${trouble}`);
    if (unit.isEnd) session.end();
    else if (trouble === 'cut before') session.close('reset');
    else if (trouble === 'stop') this.#stop(session, '57P01', 'administrator command');
    else this.#answer(session, unit, trouble);
  }

  #stop(session: Session, code: string, reason: string): void {
    session.send(errorMessage('FATAL', code, `terminating connection due to ${reason}`));
    session.close('fin');
  }

  #answer(session: Session, unit: Unit, trouble: DatabaseTrouble | undefined): void {
    this.#simulation.pass('before a commit', session.socket.host);
    const answer = this.#exec(session, unit, trouble);
    this.#notify(answer);
    this.#own(session, answer);
    this.#simulation.pass('after a commit', session.socket.host);
    if (trouble === 'cut behind') session.close('reset');
    else session.send(Buffer.concat(answer.flatMap(({ type, bytes }) => (type === 'A' ? [] : [bytes]))));
  }

  #exec(session: Session, { messages }: Unit, trouble: DatabaseTrouble | undefined): Message[] {
    const first = messages.find(({ type }) => type === 'Q' || type === 'P');
    if (first?.type === 'Q') return cutAnswer(this.#build.exec(simpleOf(session, textOf(first))));
    if (trouble === 'deadlock') return cutAnswer(this.#build.exec(DEADLOCK));
    return execPrepared(
      this.#build,
      session.statements,
      messages.map((one) => parsedOf(session, one)),
    );
  }

  #notify(answer: readonly Message[]): void {
    for (const { type, bytes } of answer) {
      if (type !== 'A') continue;
      const channel = bytes.toString('utf8', 9, bytes.indexOf(0, 9));
      for (const session of this.#sessions)
        if (session.channels.has(channel)) session.send(Buffer.from(bytes));
    }
  }

  /** A session keeps the database until its transaction ends, or has no statement for too long. */
  #own(session: Session, answer: readonly Message[]): void {
    const state = answer.findLast(({ type }) => type === 'Z')?.bytes.toString('latin1', 5);
    if (state === undefined) throw new Error('the build has answered without its state');
    this.#disown();
    if (state === 'I') return;
    this.#owner = session;
    const limitMs = session.idleLimitMs ?? Number.POSITIVE_INFINITY;
    this.#idle = this.#simulation.after(
      limitMs,
      'idle in a transaction',
      () => this.#evict(session),
      this.#simulation.outside,
    );
  }

  #evict(session: Session): void {
    if (this.#owner !== session || session.units.length > 0) return;
    this.#stop(session, '25P03', 'idle-in-transaction timeout');
  }
}

/** Removes the timer of a statement, since the build has no timers. The session keeps its limit. */
function withoutTimer(session: Session, text: string): string {
  const limit = idleLimit.exec(text)?.[1];
  if (limit !== undefined) session.idleLimitMs = Number(limit);
  return text.replace(idleLimit, 'SET LOCAL lock_timeout = 0');
}

function parsedOf(session: Session, one: Message): Message {
  if (one.type !== 'P' || statementOf(one) !== '') return one;
  const bytes = message('P', '', withoutTimer(session, textOf(one)), Buffer.alloc(2));
  return { type: 'P', bytes };
}

function simpleOf(session: Session, text: string): Buffer {
  const channel = listening.exec(text)?.[1];
  if (channel !== undefined) session.channels.add(channel);
  return query(withoutTimer(session, text));
}

function columnsOf(bytes: Buffer): (string | null)[] {
  let at = 7;
  return Array.from({ length: bytes.readInt16BE(5) }, () => {
    const length = bytes.readInt32BE(at);
    at += 4;
    if (length < 0) return null;
    at += length;
    return bytes.toString('utf8', at - length, at);
  });
}

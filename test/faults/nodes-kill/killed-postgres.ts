import { Database } from '../../../src/store/postgres/database.ts';
import { PostgresServer } from '../../support/postgres/postgres-server.ts';
import { waitFor } from '../../support/wait-for.ts';

const MAX_RESTORE_MS = 300_000;
const MAX_CALL_MS = 60_000;
const SHORT_ABSENCE_MS = 1_500;
/** Longer than a settlement waits before it goes to the spool. */
const LONG_ABSENCE_MS = 3_500;
const LONG_ONE_OF = 4;

/** One Postgres server that is killed and started again. */
export class KilledPostgres {
  readonly server: PostgresServer;
  /** The kills. At `restoredAt` all open nodes have written back what they had admitted. */
  readonly losses: { at: number; restoredAt: number }[] = [];
  readonly database: Database;
  readonly #random: () => number;
  #absence: Promise<void> | undefined;

  private constructor(server: PostgresServer, random: () => number) {
    this.server = server;
    this.#random = random;
    this.database = new Database({ url: server.url, maxConnections: 2, deadlineMs: MAX_CALL_MS });
  }

  static async create(random: () => number): Promise<KilledPostgres> {
    return new KilledPostgres(await PostgresServer.create(), random);
  }

  get kills(): number {
    return this.losses.length;
  }

  /**
   * Kills the server, and waits until it accepts connections again. A kill during an absence is the same
   * kill.
   */
  kill(isLong = this.#random() < 1 / LONG_ONE_OF): Promise<void> {
    this.#absence ??= this.#kill(isLong ? LONG_ABSENCE_MS : SHORT_ABSENCE_MS * this.#random()).finally(() => {
      this.#absence = undefined;
    });
    return this.#absence;
  }

  async #kill(absenceMs: number): Promise<void> {
    const loss = { at: performance.now(), restoredAt: Number.POSITIVE_INFINITY };
    this.losses.push(loss);
    await this.server.kill();
    await Bun.sleep(absenceMs);
    await this.server.start();
    void waitFor(() => this.#isReady(), MAX_RESTORE_MS).then(
      () => {
        loss.restoredAt = performance.now();
      },
      () => {},
    );
  }

  #isReady(): Promise<boolean> {
    return this.database.first('SELECT 1 FROM era WHERE ready').then(
      (row) => row !== undefined,
      () => false,
    );
  }

  async remove(): Promise<void> {
    await this.database.close();
    await this.server.remove();
  }
}

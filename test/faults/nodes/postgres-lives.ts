import { PostgresServer } from '../../support/postgres/postgres-server.ts';

/** How long nodes may take to write back what they admitted, once Postgres accepts connections again. */
const RESTORED_AFTER_MS = 12_000;
const LONGEST_ABSENCE_MS = 1_500;

/** One Postgres server that is killed and started again. */
export class PostgresLives {
  readonly server: PostgresServer;
  readonly losses: { at: number; restoredAt: number }[] = [];
  readonly #random: () => number;
  #absence: Promise<void> | undefined;

  private constructor(server: PostgresServer, random: () => number) {
    this.server = server;
    this.#random = random;
  }

  static async create(random: () => number): Promise<PostgresLives> {
    return new PostgresLives(await PostgresServer.create(), random);
  }

  get kills(): number {
    return this.losses.length;
  }

  /** Ends when the server accepts connections again. A kill during an absence is the same kill. */
  kill(): Promise<void> {
    this.#absence ??= this.#kill().finally(() => {
      this.#absence = undefined;
    });
    return this.#absence;
  }

  async #kill(): Promise<void> {
    const loss = { at: performance.now(), restoredAt: Number.POSITIVE_INFINITY };
    this.losses.push(loss);
    await this.server.kill();
    await Bun.sleep(LONGEST_ABSENCE_MS * this.#random());
    await this.server.start();
    loss.restoredAt = performance.now() + RESTORED_AFTER_MS;
  }
}

import postgres from 'postgres';
import { postgresProblem } from './postgres-problem.ts';

export type SqlValue = string | number | boolean | null | Uint8Array | readonly string[] | readonly number[];
export type PostgresRow = Record<string, unknown>;

/** Statements on one connection or on any of the pool. Parameters are `$1`, `$2`, …; JSON is passed as text, `$1::text::jsonb`. */
export interface Queries {
  all(text: string, values?: readonly SqlValue[]): Promise<PostgresRow[]>;
  first(text: string, values?: readonly SqlValue[]): Promise<PostgresRow | undefined>;
  /** Returns the number of changed rows. */
  run(text: string, values?: readonly SqlValue[]): Promise<number>;
}

export type CallOptions = { deadlineMs?: number };

export type DatabaseOptions = {
  url: string;
  /** The number of connections. */
  most?: number;
};

const CONNECTIONS = 8;
const CONNECT_TIMEOUT_S = 5;
/** The type number of `bigint`. Every stored amount is a safe integer. */
const BIGINT = 20;

type Client = postgres.Sql<{ amount: number }>;
type Statement = Pick<Client, 'unsafe'>;

/** A pool of connections to one database. Every failure that an operator can repair is a `StoreProblem`. */
export class Database implements Queries {
  readonly url: string;
  readonly #client: Client;

  constructor({ url, most = CONNECTIONS }: DatabaseOptions) {
    this.url = url;
    this.#client = postgres(url, {
      max: most,
      connect_timeout: CONNECT_TIMEOUT_S,
      onnotice: () => {},
      types: { amount: { to: BIGINT, from: [BIGINT], serialize: String, parse: Number } },
    });
  }

  all(text: string, values?: readonly SqlValue[]): Promise<PostgresRow[]> {
    return all(this.#client, text, values);
  }

  async first(text: string, values?: readonly SqlValue[]): Promise<PostgresRow | undefined> {
    return (await this.all(text, values))[0];
  }

  run(text: string, values?: readonly SqlValue[]): Promise<number> {
    return run(this.#client, text, values);
  }

  /** Runs statements without parameters. */
  async script(text: string): Promise<void> {
    await this.#client.unsafe(text).simple().catch(rethrow);
  }

  /** Runs the work in one transaction. It is rolled back if the work fails. */
  async transaction<T>(work: (queries: Queries) => Promise<T>, _options?: CallOptions): Promise<T> {
    let result: T | undefined;
    await this.#client
      .begin(async (client) => {
        result = await work(queriesOn(client));
      })
      .catch(rethrow);
    return result as T;
  }

  async close(): Promise<void> {
    await this.#client.end({ timeout: CONNECT_TIMEOUT_S });
  }
}

const queriesOn = (client: Statement): Queries => ({
  all: (text, values) => all(client, text, values),
  first: async (text, values) => (await all(client, text, values))[0],
  run: (text, values) => run(client, text, values),
});

async function all(
  client: Statement,
  text: string,
  values: readonly SqlValue[] = [],
): Promise<PostgresRow[]> {
  return await client.unsafe(text, values as never[], { prepare: true }).catch(rethrow);
}

async function run(client: Statement, text: string, values: readonly SqlValue[] = []): Promise<number> {
  const { count } = await client.unsafe(text, values as never[], { prepare: true }).catch(rethrow);
  return count;
}

function rethrow(error: unknown): never {
  throw postgresProblem(error);
}

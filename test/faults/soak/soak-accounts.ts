import type { TestServer } from '../../support/start-server.ts';
import type { Key } from './ask.ts';
import type { Payer } from './draw-request.ts';

type Keys = Record<Payer, Key>;
type Account = { id: string; addedUsd: number };

/** Far more than a soak uses. */
const AMPLE_USD = 1_000;
const AMPLE_TIMES = 20;
/** Used up in the course of a life. */
const LITTLE_USD = 0.25;

/** The accounts that pay for a soak, and a key for each client and payer. */
export class SoakAccounts {
  readonly #clients: number;
  #accounts: Record<'monthly' | 'payg' | 'little' | 'both', string> | undefined;
  #keys: Keys[] = [];

  constructor(clients: number) {
    this.#clients = clients;
  }

  get ids(): string[] {
    return Object.values(this.#accounts ?? {});
  }

  /** The state at each start of the server: little credit is bought again, and small caps get new keys. */
  async prepare(server: TestServer): Promise<readonly Keys[]> {
    this.#accounts ??= await openAccounts(server);
    const { monthly, little } = this.#accounts;
    await buy(server, { id: little, addedUsd: LITTLE_USD });
    if (this.#keys.length === 0) this.#keys = await this.#openKeys(server);
    const soonCapped = await keyOf(server, monthly, { monthly_cap_usd: LITTLE_USD });
    this.#keys = this.#keys.map((keys) => ({ ...keys, 'soon-capped': soonCapped }));
    return this.#keys;
  }

  /** Clients have their own keys, except where prompts are cached, because the cache is known by key. */
  async #openKeys(server: TestServer): Promise<Keys[]> {
    const { monthly, payg, little, both } = this.#accounts!;
    const cached = await keyOf(server, monthly);
    const cachedPayg = await keyOf(server, payg);
    const all: Keys[] = [];
    for (let client = 0; client < this.#clients; client++) {
      const own = await keyOf(server, monthly);
      all.push({
        monthly: own,
        cached,
        payg: cachedPayg,
        'soon-capped': own,
        capped: await keyOf(server, monthly, { monthly_cap_usd: 1e6 }),
        'little-credit': await keyOf(server, little),
        'subscriber-payg': await keyOf(server, both),
      });
    }
    return all;
  }
}

async function openAccounts(server: TestServer) {
  const accounts = {
    monthly: await server.createAccount('enterprise'),
    payg: await server.createAccount('payg'),
    little: await server.createAccount('payg'),
    both: await server.createAccount('enterprise'),
  };
  for (const id of [accounts.payg, accounts.both])
    for (let time = 0; time < AMPLE_TIMES; time++) await buy(server, { id, addedUsd: AMPLE_USD });
  return accounts;
}

/** Buys credit by an adjustment, since it may be smaller than a purchase. */
const buy = (server: TestServer, { id, addedUsd }: Account) =>
  server.admin('POST', `/accounts/${id}/adjustments`, {
    credits: addedUsd / 0.002,
    balance: 'purchased',
    reason: 'for the soak',
  });

async function keyOf(
  server: TestServer,
  account: string,
  fields: Record<string, unknown> = {},
): Promise<Key> {
  const { id, key } = await server.createKey('', { account, ...fields });
  return { id, key };
}

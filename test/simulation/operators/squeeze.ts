import { type AccountName, accountSpecs } from '../gateway/accounts.ts';
import { MICROCREDITS_PER_USD } from '../gateway/configuration.ts';
import type { Operators } from './operators.ts';
import { setBudget, setCap } from './set-limits.ts';

const account = 'batched' satisfies AccountName;
/** The share of batches at vendors during which the limit is low. */
const SQUEEZED = 0.7;

/**
 * Lowers a limit to nothing for a while after items came to a vendor.
 * They stay admitted, since they hold their amounts.
 */
export class Squeeze {
  readonly #operators: Operators;
  #running: Promise<void> | undefined;

  constructor(operators: Operators) {
    this.#operators = operators;
  }

  /** Lowers the limits, sometimes, when a vendor has items of an account. */
  itemsAway(of: AccountName | undefined): void {
    const random = this.#operators.simulation.draws('squeeze');
    if (of !== account || this.#running || !random.chance(SQUEEZED)) return;
    this.#running = this.#lower().finally(() => {
      this.#running = undefined;
    });
  }

  /** Resolves when the limit is as it was. */
  async end(): Promise<void> {
    await this.#running;
  }

  async #lower(): Promise<void> {
    const operators = this.#operators;
    const { simulation } = operators;
    const random = simulation.draws('squeeze');
    const { capUsd, budgetUsd } = accountSpecs[account];
    const [set, usd] = random.chance(0.5) ? [setCap, capUsd] : [setBudget, budgetUsd];
    await simulation.sleep(random.skewed(1, 3_000), 'operator pauses');
    await set(operators, 0, account);
    await simulation.sleep(random.between(10_000, 60_000), 'operator pauses');
    await set(operators, usd * MICROCREDITS_PER_USD, account);
  }
}

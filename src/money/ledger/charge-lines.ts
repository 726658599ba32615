import type { ChargeLine } from './charge-detail.ts';
import type { CountedTokens } from './cost-of-usage.ts';
import type { Rates } from './rates.ts';

/** The lines and the token totals of a charge while it is priced. */
export class ChargeLines {
  readonly all: ChargeLine[] = [];
  /** The dimensions that the upstream reported and the catalog does not price. */
  readonly unpriced = new Set<string>();
  readonly tokens: CountedTokens;
  /** The tokens of each total that no line has taken out yet. */
  readonly #left: Record<keyof Rates, number>;

  /** `own`: the tokens of the answer itself. */
  constructor(own: CountedTokens) {
    this.tokens = { ...own };
    this.#left = {
      input: own.input - own.cachedInput,
      cachedInput: own.cachedInput,
      output: own.output,
    };
  }

  /** Adds a line, or its count to the line that differs in nothing else. */
  add(line: ChargeLine): void {
    if (line.of !== null) this.#left[line.of] -= line.count;
    const sameIndex = this.all.findIndex(
      ({ dimension, model, rate, of }) =>
        dimension === line.dimension && model === line.model && rate === line.rate && of === line.of,
    );
    const same = this.all[sameIndex];
    if (same) this.all[sameIndex] = { ...line, count: same.count + line.count };
    else this.all.push(line);
  }

  remaining(total: keyof Rates): number {
    return this.#left[total];
  }

  /** Adds tokens that the answer's own counts do not include. */
  grow(total: keyof Rates, count: number): void {
    this.#left[total] += count;
    if (total === 'output') this.tokens.output += count;
    else this.tokens.input += count;
    if (total === 'cachedInput') this.tokens.cachedInput += count;
  }
}

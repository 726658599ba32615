import { describeType, describeValue } from './describe-value.ts';
import type { SchemaProblem, SearchOptions } from './schema-problem.ts';

/** Collects problems while a walker goes through a value, and knows where the walker stands. */
export class ProblemSearch {
  readonly problems: SchemaProblem[] = [];
  readonly #path: (string | number)[];
  readonly #options: SearchOptions;

  constructor(options: SearchOptions, path: readonly (string | number)[] = []) {
    this.#options = options;
    this.#path = [...path];
  }

  get isOver(): boolean {
    return this.problems.length >= (this.#options.most ?? Number.POSITIVE_INFINITY);
  }

  report(message: string): void {
    if (!this.isOver) this.problems.push({ path: [...this.#path], message });
  }

  /** Reports `expected` and what came instead. */
  reportValue(expected: string, value: unknown): void {
    const came = this.#options.isSecret?.(this.#path) ? describeType(value) : describeValue(value);
    this.report(`${expected}, not ${came}`);
  }

  /** The same without ever showing the value, for when its very type is wrong. */
  reportType(expected: string, value: unknown): void {
    this.report(`${expected}, not ${describeType(value)}`);
  }

  at(step: string | number, walk: () => void): void {
    if (this.isOver) return;
    this.#path.push(step);
    walk();
    this.#path.pop();
  }

  /** A search of its own from the same place, to try something. */
  trial(): ProblemSearch {
    return new ProblemSearch(this.#options, this.#path);
  }

  adopt(trial: ProblemSearch): void {
    for (const problem of trial.problems) if (!this.isOver) this.problems.push(problem);
  }
}

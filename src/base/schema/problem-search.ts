import { describeType, describeValue } from './describe-value.ts';
import type { SchemaProblem, SearchOptions } from './schema-problem.ts';

/** Collects problems during a walk over a value, and tracks the current path. */
export class ProblemSearch {
  readonly problems: SchemaProblem[] = [];
  readonly #path: (string | number)[];
  readonly #options: SearchOptions;

  constructor(options: SearchOptions, path: readonly (string | number)[] = []) {
    this.#options = options;
    this.#path = [...path];
  }

  get isOver(): boolean {
    return this.problems.length >= (this.#options.limit ?? Number.POSITIVE_INFINITY);
  }

  report(message: string): void {
    if (!this.isOver) this.problems.push({ path: [...this.#path], message });
  }

  /** Reports `expected` and the value that arrived instead. A secret text is omitted. */
  reportValue(expected: string, value: unknown): void {
    const isSecret = this.#options.isSecret?.(this.#path) === true;
    if (isSecret && typeof value === 'string') this.report(expected);
    else this.report(`${expected}, not ${isSecret ? describeType(value) : describeValue(value)}`);
  }

  /** Reports `expected` and the type that arrived instead. Never shows the value. */
  reportType(expected: string, value: unknown): void {
    this.report(`${expected}, not ${describeType(value)}`);
  }

  at(step: string | number, walk: () => void): void {
    if (this.isOver) return;
    this.#path.push(step);
    walk();
    this.#path.pop();
  }

  /** Starts a separate search at the same path, to try one branch. */
  trial(): ProblemSearch {
    return new ProblemSearch(this.#options, this.#path);
  }

  adopt(trial: ProblemSearch): void {
    for (const problem of trial.problems) if (!this.isOver) this.problems.push(problem);
  }
}

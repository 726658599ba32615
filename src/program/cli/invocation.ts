import { UsageError } from './command-failure.ts';
import type { Terminal } from './terminal.ts';

export type OptionValue = string | number | boolean | string[] | undefined;

/** A command line that was checked against the command's row. Its values have the kinds of the row. */
export class Invocation {
  readonly terminal: Terminal;
  /** All arguments after the command's name, unparsed. */
  readonly args: readonly string[];
  readonly #positionals: Readonly<Record<string, string>>;
  readonly #options: Readonly<Record<string, OptionValue>>;

  constructor(parts: {
    terminal: Terminal;
    args: readonly string[];
    positionals: Readonly<Record<string, string>>;
    options: Readonly<Record<string, OptionValue>>;
  }) {
    this.terminal = parts.terminal;
    this.args = parts.args;
    this.#positionals = parts.positionals;
    this.#options = parts.options;
  }

  positional(name: string): string | undefined {
    return this.#positionals[name];
  }

  /** Returns a positional that the command's row requires. */
  required(name: string): string {
    const value = this.#positionals[name];
    if (value === undefined) throw new UsageError(`${name} is missing`);
    return value;
  }

  text(name: string): string | undefined {
    const value = this.#options[name];
    return typeof value === 'string' ? value : undefined;
  }

  /** Returns the value of an option or a positional with choices. A checked command line has one of them. */
  choice<Choice extends string>(name: string, choices: readonly Choice[]): Choice | undefined {
    const value = this.#options[name] ?? this.#positionals[name];
    return choices.find((choice) => choice === value);
  }

  number(name: string): number | undefined {
    const value = this.#options[name];
    return typeof value === 'number' ? value : undefined;
  }

  list(name: string): string[] | undefined {
    const value = this.#options[name];
    return Array.isArray(value) ? value : undefined;
  }

  flag(name: string): boolean {
    return this.#options[name] === true;
  }
}

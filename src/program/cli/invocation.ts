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

  text(name: string): string | undefined {
    return this.#options[name] as string | undefined;
  }

  /**
   * The value of an option or a positional with choices.
   * The command line was checked, so the value is one of them.
   */
  choice<Choice extends string>(name: string, choices: readonly Choice[]): Choice | undefined {
    const value = this.#options[name] ?? this.#positionals[name];
    return choices.find((choice) => choice === value);
  }

  number(name: string): number | undefined {
    return this.#options[name] as number | undefined;
  }

  list(name: string): string[] | undefined {
    return this.#options[name] as string[] | undefined;
  }

  flag(name: string): boolean {
    return this.#options[name] === true;
  }
}

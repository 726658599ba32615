import type { Invocation } from './invocation.ts';

/** The ids that a shell can offer for a value. */
export const idKinds = ['accounts', 'batches', 'models', 'providers', 'profiles'] as const;

/** The shells that a completion can be printed for. */
export const shellNames = ['bash', 'zsh', 'fish'] as const;

export type IdKind = (typeof idKinds)[number];

export type Option = {
  /** An option of kind `list` can be repeated. */
  kind: 'flag' | 'text' | 'number' | 'list';
  summary: string;
  /** The name of the value in the help, for example FILE. */
  placeholder?: string;
  choices?: readonly string[];
  ids?: IdKind;
  minimum?: number;
  maximum?: number;
  integer?: boolean;
  /** Names the unit of a number for messages. */
  unit?: string;
};

export type Positional = {
  name: string;
  summary: string;
  optional?: boolean;
  choices?: readonly string[];
  ids?: IdKind;
};

/** Resolves to the exit code. */
export type Run = (invocation: Invocation) => Promise<number>;

/** A row of the command table. `load` imports the code when the command runs. */
export type Command = {
  /** One or two words, for example `account create`. */
  name: string;
  summary: string;
  positionals?: readonly Positional[];
  options?: Readonly<Record<string, Option>>;
  /** Command lines for the help, without the program's name. */
  examples: readonly [string, ...string[]];
  load: () => Promise<Run>;
};

import type { Invocation } from './invocation.ts';

export type Option = {
  /** `list` may be given more than once. */
  kind: 'flag' | 'text' | 'number' | 'list';
  summary: string;
  /** Stands for the value in the help, like FILE. */
  placeholder?: string;
  choices?: readonly string[];
  minimum?: number;
  maximum?: number;
  integer?: boolean;
};

export type Positional = { name: string; summary: string; optional?: boolean; choices?: readonly string[] };

/** Resolves to the exit code. */
export type Run = (invocation: Invocation) => Promise<number>;

/** A row of the command table. `load` brings the code in only when the command is run. */
export type Command = {
  /** One or two words, like `account create`. */
  name: string;
  summary: string;
  positionals?: readonly Positional[];
  options?: Readonly<Record<string, Option>>;
  load: () => Promise<Run>;
};

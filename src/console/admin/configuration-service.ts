import type { ConfigProblem } from '../../settings/config/config-problem.ts';
import type { ReloadOutcome } from './reload-outcome.ts';

/** The configuration file as operators see it. */
export type ShownConfiguration = {
  /** `null` means that the server runs without a file. */
  file: string | null;
  /** The text with marks in place of secrets. `null` means that the file cannot be shown. */
  text: string | null;
  /** The hash of the file's content. A change names the hash of the content that it replaces. */
  hash: string | null;
  isWritable: boolean;
  /** The reason why the text is not shown, or cannot be written. */
  reason: string | null;
};

/** `changed`: the file is no longer the one with that hash. `refused`: why it cannot be written. */
export type WriteOutcome =
  | { kind: 'written'; reloaded: ReloadOutcome }
  | { kind: 'problems'; problems: readonly ConfigProblem[] }
  | { kind: 'changed' }
  | { kind: 'refused'; reason: string };

/** Shows, checks and writes the configuration file. */
export type ConfigurationService = {
  show(): Promise<ShownConfiguration>;
  /** Finds the problems of a text, in which marks stand for the secrets of the file. */
  check(text: string): Promise<readonly ConfigProblem[]>;
  /** Replaces the file and reloads it. */
  write(order: { text: string; hash: string; actor: string }): Promise<WriteOutcome>;
};

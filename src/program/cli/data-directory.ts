import type { Invocation } from './invocation.ts';

export const DEFAULT_DATA_DIRECTORY = './data';

export const dataDirectory = (invocation: Invocation): string =>
  invocation.text('data') ?? (invocation.terminal.environment.DATA_DIR || DEFAULT_DATA_DIRECTORY);

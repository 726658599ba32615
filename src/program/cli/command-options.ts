import type { Option, Positional } from './command.ts';

// The positionals and options that several commands share.
export const account: Positional = { name: 'ACCOUNT', summary: 'Id or name of the account', ids: 'accounts' };
export const provider: Positional = { name: 'PROVIDER', summary: 'Id of the provider', ids: 'providers' };

/** Makes an option with a text. */
export const text = (placeholder: string, summary: string) =>
  ({ kind: 'text', placeholder, summary }) as const;

export const json: Option = { kind: 'flag', summary: 'Prints the result as JSON' };
export const config: Option = {
  kind: 'text',
  placeholder: 'FILE',
  summary: 'Configuration file (default: TOLLGATE_CONFIG, or no file and all defaults)',
};
export const port: Option = {
  kind: 'number',
  integer: true,
  minimum: 0,
  maximum: 65_535,
  summary: 'Port to listen on (default 8080)',
};
export const host: Option = {
  kind: 'text',
  placeholder: 'ADDRESS',
  summary: 'Address to listen on (default 127.0.0.1)',
};
export const data: Option = {
  kind: 'text',
  placeholder: 'DIR',
  summary: 'Directory of the embedded store (default: DATA_DIR, or ./data)',
};

/** The kind of an option that takes a number from 1 on. */
export const count = { kind: 'number', integer: true, minimum: 1 } as const;

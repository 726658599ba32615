import type { Option, Positional } from './command.ts';
import { textOption } from './option-kinds.ts';

/** The account that several commands name first. */
export const accountPositional: Positional = {
  name: 'ACCOUNT',
  summary: 'Id or name of the account',
  ids: 'accounts',
};

/** The provider that several commands name first. */
export const providerPositional: Positional = {
  name: 'PROVIDER',
  summary: 'Id of the provider',
  ids: 'providers',
};

export const jsonOption: Option = { kind: 'flag', summary: 'Prints the result as JSON' };

export const configOption: Option = textOption(
  'FILE',
  'Configuration file (default: TOLLGATE_CONFIG, or no file and all defaults)',
);

export const portOption: Option = {
  kind: 'number',
  integer: true,
  minimum: 0,
  maximum: 65_535,
  summary: 'Port to listen on (default 8080)',
};

export const hostOption: Option = textOption('ADDRESS', 'Address to listen on (default 127.0.0.1)');

export const dataOption: Option = textOption(
  'DIR',
  'Directory of the embedded store (default: DATA_DIR, or ./data)',
);

import type { Fields } from '../../base/schema/json-type.ts';
import type { ProviderRow } from '../config/config-schema.ts';

/** A stored provider as the gateway uses it. */
export type StoredProvider = {
  id: string;
  revision: number;
  /** The whole row, with the defaults of a built-in host. `null` means that the row cannot be used. */
  row: ProviderRow | null;
  /** The reason why the row cannot be used. */
  unusable: UnusableRow | null;
  /** The time at which the credential was set. */
  credentialSetAt: number | null;
};

/**
 * `no-key`: its credential needs a key that the process does not have.
 * `changed`: it was changed outside of the program.
 */
export type UnusableKind = 'no-key' | 'changed' | 'invalid';
export type UnusableRow = { kind: UnusableKind; reason: string; since: number };

/** A stored model. `fields` are the fields that it sets. */
export type StoredModel = {
  id: string;
  revision: number;
  /** The row lies over one of another source. Its fields replace that row's fields. */
  isOver: boolean;
  isHidden: boolean;
  fields: Fields;
};

export type StoredRows = { providers: readonly StoredProvider[]; models: readonly StoredModel[] };

export const NO_STORED_ROWS: StoredRows = { providers: [], models: [] };

import type { Fields } from '../../base/schema/json-type.ts';
import type { ProviderRow } from '../config/config-schema.ts';
import type { SecretFault } from './secret-keys.ts';

/** A stored provider as the gateway uses it. `row` has the defaults of a built-in host. */
export type StoredProvider = {
  id: string;
  revision: number;
  /** The time at which the credential was set. `null` means that the provider needs no credential. */
  credentialSetAt: number | null;
} & ({ row: ProviderRow; unusable: null } | { row: null; unusable: UnusableRow });

/** The reason why a row cannot be used. `invalid`: its fields do not fit the schema of a provider. */
export type UnusableKind = SecretFault | 'invalid';
/** A row that cannot be used. `reason` is a sentence for operators. */
export type UnusableRow = { kind: UnusableKind; reason: string; since: number };

/** A stored model. `fields` are the fields that it sets. */
export type StoredModel = {
  id: string;
  revision: number;
  /** True if the fields replace those of a row from another source. Otherwise they are the whole row. */
  isOverlay: boolean;
  /** True if clients do not see the model. */
  isHidden: boolean;
  fields: Fields;
};

export type StoredRows = { providers: readonly StoredProvider[]; models: readonly StoredModel[] };

export const NO_STORED_ROWS: StoredRows = { providers: [], models: [] };

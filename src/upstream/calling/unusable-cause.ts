import type { UnusableKind } from '../../settings/stored/stored-rows.ts';

/**
 * The causes for which a stored provider gets no calls. `credential_unreadable`: its credential cannot be
 * decrypted. `row_invalid`: this version does not accept its row.
 */
export const unusableCauses = ['credential_unreadable', 'row_invalid'] as const;
export type UnusableCause = (typeof unusableCauses)[number];

/** The step that ends each cause. */
export const unusableRemedies: Readonly<Record<UnusableCause, string>> = {
  credential_unreadable:
    'Start the server with the key that encrypted the credential, or set the credential again.',
  row_invalid: 'Correct the member that the reason names, or delete the provider.',
};

export const causeOfUnusable = (kind: UnusableKind): UnusableCause =>
  kind === 'invalid' ? 'row_invalid' : 'credential_unreadable';

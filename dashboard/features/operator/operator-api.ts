import { computed } from '@preact/signals';
import { operatorRole } from '../../app/session.ts';

/** The admin API as the session of an operator reaches it. */
export const OPERATOR = '/operator';

/** Only owners change tokens and people, and edit the configuration file. */
export const isOwner = computed(() => operatorRole.value === 'owner');

/** A list of the admin API. */
export type ListOf<Row> = { data: Row[]; has_more: boolean };

/** The accounts in the admin API. Their balances change with many of its calls. */
export const ACCOUNTS = `${OPERATOR}/accounts`;

export const accountPath = (id: string): string => `${ACCOUNTS}/${encodeURIComponent(id)}`;

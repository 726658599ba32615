import { computed } from '@preact/signals';
import { operatorRole } from '../../app/session.ts';

/** The admin API as the session of an operator reaches it. */
export const OPERATOR = '/operator';

/** Operators who may only read see no buttons for changes. */
export const mayChange = computed(() => operatorRole.value === 'owner' || operatorRole.value === 'operator');
export const isOwner = computed(() => operatorRole.value === 'owner');

export type List<Row> = { data: Row[]; has_more: boolean };

export const accountPath = (id: string): string => `${OPERATOR}/accounts/${encodeURIComponent(id)}`;

import type { Static } from 'typebox';
import { Type } from '../../base/schema/type.ts';

export const doneView = Type.Object({ status: Type.Literal('done') });
/** The answer of a change that has nothing else to show. */
export const DONE: Static<typeof doneView> = { status: 'done' };

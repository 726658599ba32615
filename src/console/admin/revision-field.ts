import { Type } from '../../base/schema/type.ts';

/** The revision that a change of a stored row replaces. */
export const revisionField = Type.Optional(
  Type.Integer({ description: 'The revision that the change replaces. An older one is refused.' }),
);

import type { Static } from 'typebox';
import { optional } from '../../../base/schema/optional.ts';
import { Type } from '../../../base/schema/type.ts';

const part = Type.Union([
  Type.Object({ type: Type.Literal('text'), text: Type.String() }),
  Type.Object({
    type: Type.Literal('image_url'),
    image_url: Type.Object({ url: Type.String({ minLength: 1 }) }),
  }),
]);

/** The fields that the gateway checks. Other fields are passed on. */
export const requestSchema = Type.Object({
  model: optional(Type.String({ minLength: 1 })),
  input: Type.Union([
    Type.String(),
    Type.Array(Type.String(), { minItems: 1 }),
    Type.Array(part, { minItems: 1 }),
  ]),
});

export type ModerationsRequest = Static<typeof requestSchema>;

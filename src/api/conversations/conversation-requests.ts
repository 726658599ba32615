import { invalidParam } from '../../base/errors/invalid-param.ts';
import { Refusal } from '../../base/errors/refusal.ts';
import type { JsonBody } from '../../base/json/json-body.ts';
import { listOf } from '../../base/json/read-json.ts';
import { isObject } from '../../base/lib/is-object.ts';
import { formatPath } from '../../base/schema/format-path.ts';
import { optional } from '../../base/schema/optional.ts';
import { orNull } from '../../base/schema/or-null.ts';
import { Type } from '../../base/schema/type.ts';
import { createValidator, type Validator } from '../../base/schema/validator.ts';
import { inputItem } from '../../translation/protocols/responses/input-item.ts';
import { isReference } from '../../translation/protocols/responses/item-reference.ts';

/** The vendor's bounds. */
const MAX_ADDED = 20;
const MAX_PAIRS = 16;
const MAX_KEY = 64;
const MAX_VALUE = 512;

const items = Type.Array(inputItem, {
  maxItems: MAX_ADDED,
  description: 'References to stored items are refused.',
});
const metadata = Type.Record(Type.String(), Type.String({ maxLength: MAX_VALUE }), {
  description: `At most ${MAX_PAIRS} pairs. Keys have at most ${MAX_KEY} characters.`,
});

/** The schemas of the bodies of requests that make and change conversations. */
export const conversationBodies = {
  create: Type.Object(
    { items: optional(items), metadata: optional(metadata) },
    { title: 'Conversation Create Request' },
  ),
  update: Type.Object({ metadata: orNull(metadata) }, { title: 'Conversation Update Request' }),
  addItems: Type.Object({ items }, { title: 'Conversation Items Request' }),
};

/** The checks of these bodies. */
export const checkBodies = {
  create: createValidator(conversationBodies.create),
  update: createValidator(conversationBodies.update),
  addItems: createValidator(conversationBodies.addItems),
} satisfies Record<string, Validator>;

/** Returns the refusal for an invalid body. */
export function refuseBody({ value }: JsonBody, validate: Validator): Refusal | undefined {
  const reference = listOf(value.items).findIndex((item) => isObject(item) && isReference(item));
  if (reference >= 0) return refuseReference(reference);
  const invalid = validate(value);
  if (!invalid) return refuseMetadata(value.metadata);
  const param = formatPath(invalid.path);
  return invalidParam(param, invalid.message);
}

/** Refuses a reference, which models could not read once it is a part of the conversation. */
const refuseReference = (index: number): Refusal =>
  new Refusal('invalid_request', {
    param: `items[${index}]`,
    message: `items[${index}] refers to a stored item. Send the item itself.`,
  });

function refuseMetadata(value: unknown): Refusal | undefined {
  const keys = Object.keys(value ?? {});
  if (keys.length <= MAX_PAIRS && keys.every((key) => key.length <= MAX_KEY)) return undefined;
  return invalidParam(
    'metadata',
    `must have at most ${MAX_PAIRS} pairs, and keys of at most ${MAX_KEY} characters`,
  );
}

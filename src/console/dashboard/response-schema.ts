import type { Static } from 'typebox';
import { orNull } from '../../base/schema/or-null.ts';
import { Type } from '../../base/schema/type.ts';

const textOrNull = orNull(Type.String());

/** A stored response as a row of the list. */
const storedResponse = Type.Object({
  id: Type.String(),
  key_id: Type.String(),
  model: Type.String(),
  created_at: Type.String(),
  expires_at: Type.String(),
  /** The bytes that count against the storage of the plan. */
  bytes: Type.Integer(),
  previous_response_id: textOrNull,
  /** The length of the conversation up to this response. */
  turns: Type.Integer(),
});
export type StoredResponseView = Static<typeof storedResponse>;

export const responseList = Type.Object({
  data: Type.Array(storedResponse),
  has_more: Type.Boolean(),
  /** `limit_bytes` is `null` if the plan has no limit. */
  storage: Type.Object({
    bytes: Type.Integer(),
    limit_bytes: orNull(Type.Integer()),
  }),
});
export type ResponseList = Static<typeof responseList>;

export const responseDetail = Type.Object({
  ...storedResponse.properties,
  /**
   * The responses from the conversation's first one on, at most the latest 50. Deleted responses have no
   * model.
   */
  chain: Type.Array(Type.Object({ id: Type.String(), model: textOrNull, created_at: textOrNull })),
  status: Type.String(),
  instructions: textOrNull,
  /** The output items. Long texts are cut. */
  output: Type.Array(Type.Unknown()),
  usage: Type.Unknown(),
  /** Texts of the output were cut. */
  is_cut: Type.Boolean(),
});
export type ResponseDetail = Static<typeof responseDetail>;

/** The items that the model was given, from the first turn on. Long texts are cut. */
export const responseItems = Type.Object({
  data: Type.Array(Type.Unknown()),
  has_more: Type.Boolean(),
  last_id: textOrNull,
  is_cut: Type.Boolean(),
});
export type ResponseItems = Static<typeof responseItems>;

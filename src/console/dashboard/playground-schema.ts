import type { Static } from 'typebox';
import { orNull } from '../../base/schema/or-null.ts';
import { Type } from '../../base/schema/type.ts';

const flag = Type.Boolean();

const playgroundModel = Type.Object({
  id: Type.String(),
  display_name: Type.String(),
  owned_by: Type.String(),
  context_window: Type.Integer(),
  max_output: orNull(Type.Integer()),
  capabilities: Type.Object({ tools: flag, reasoning: flag, vision: flag, documents: flag }),
  reasoning_efforts: Type.Array(Type.String()),
  /** The plan's credits pay for the model. */
  included: flag,
  /** The cheapest plan that includes the model. */
  unlocked_by: Type.String(),
  /** The simulator answers for it. */
  simulated: flag,
});
export type PlaygroundModel = Static<typeof playgroundModel>;

export const playgroundOptions = Type.Object({
  /** The address of the API in the code that the page shows. */
  base_url: Type.String(),
  /** The key that pays. `null` means that it is made with the first request. */
  key: orNull(Type.Object({ id: Type.String(), name: Type.String() })),
  plan: Type.String(),
  /** The names of the headers that the page reads or sends. */
  headers: Type.Object({
    request_id: Type.String(),
    error_code: Type.String(),
    payment_mode: Type.String(),
    served_by: Type.String(),
    queue_ms: Type.String(),
    losses: Type.String(),
    simulated: Type.String(),
  }),
  models: Type.Array(playgroundModel),
});
export type PlaygroundOptions = Static<typeof playgroundOptions>;

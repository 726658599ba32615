import type { Static } from 'typebox';
import { orNull } from '../../base/schema/or-null.ts';
import { Type } from '../../base/schema/type.ts';

/** `GET /dashboard/v1/welcome`: what the start page shows every visitor. */
export const welcomeView = Type.Object({
  /** The base URL of clients. */
  base_url: Type.String(),
  /** A model for a first request. `null` means that no model can answer. */
  model: orNull(Type.String()),
  /** The number of models that can answer. */
  models: Type.Integer(),
  /** The number of models for which the simulator answers. */
  simulated_models: Type.Integer(),
  /** The plans that are open to everybody. */
  plans: Type.Array(
    Type.Object({
      id: Type.String(),
      name: Type.String(),
      /** `null` means a price by arrangement, or by use for the plan `payg`. */
      price_usd_per_month: orNull(Type.Number()),
      /** `null` means no limit, or purchased credits alone for the plan `payg`. */
      credits: orNull(Type.Number()),
      requests_per_minute: Type.Integer(),
      concurrent: Type.Integer(),
    }),
  ),
});
export type WelcomeView = Static<typeof welcomeView>;

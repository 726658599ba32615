import type { Static } from 'typebox';
import { Type } from '../../base/schema/type.ts';

const orNull = <Schema extends Parameters<typeof Type.Array>[0]>(schema: Schema) =>
  Type.Union([schema, Type.Null()]);

/** `GET /dashboard/v1/welcome`: what the start page shows every visitor. */
export const welcomeView = Type.Object({
  /** The base URL of clients. */
  base_url: Type.String(),
  /** A model for a first request. Null: no model can answer. */
  model: orNull(Type.String()),
  /** The number of models that can answer. */
  models: Type.Integer(),
  /** Those of them for which the simulator answers. */
  simulated_models: Type.Integer(),
  /** The plans that are open to everybody. */
  plans: Type.Array(
    Type.Object({
      id: Type.String(),
      name: Type.String(),
      /** Null: by arrangement, or by use for the plan `payg`. */
      price_usd_per_month: orNull(Type.Number()),
      /** Null: no limit, or purchased credits alone for the plan `payg`. */
      credits: orNull(Type.Number()),
      requests_per_minute: Type.Integer(),
      concurrent: Type.Integer(),
    }),
  ),
});
export type WelcomeView = Static<typeof welcomeView>;

import { Type } from '../../base/schema/type.ts';

/** `POST /dashboard/v1/session/provider`. The browser then goes to `url`. */
export const providerBody = Type.Object({
  provider: Type.String({ maxLength: 64 }),
  /** A page of this server. */
  return_to: Type.Optional(Type.String({ maxLength: 1_000 })),
});
export const providerView = Type.Object({ url: Type.String() });

import type { Static } from 'typebox';
import { Type } from '../../base/schema/type.ts';

/** `POST /dashboard/v1/device` */
export const deviceDecision = Type.Object({
  user_code: Type.String({ minLength: 1, maxLength: 40 }),
  account: Type.String({ minLength: 1, maxLength: 100 }),
  approve: Type.Boolean(),
});
export const deviceView = Type.Object({ status: Type.Enum(['approved', 'denied']) });
export type DeviceView = Static<typeof deviceView>;

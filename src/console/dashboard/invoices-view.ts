import type { Static } from 'typebox';
import { orNull } from '../../base/schema/or-null.ts';
import { Type } from '../../base/schema/type.ts';

/** `GET …/billing/invoices` */
export const invoicesView = Type.Object({
  /** The months with a statement of this server, newest first. */
  statements: Type.Array(Type.String()),
  /** The invoices of Stripe, newest first. */
  data: Type.Array(
    Type.Object({
      id: Type.String(),
      number: orNull(Type.String()),
      status: orNull(Type.String()),
      created_at: Type.String(),
      period_start: Type.String(),
      period_end: Type.String(),
      currency: Type.String(),
      total: Type.Number(),
      lines: Type.Array(Type.Object({ description: Type.String(), amount: Type.Number() })),
      url: orNull(Type.String()),
      pdf_url: orNull(Type.String()),
    }),
  ),
  /** True if Stripe did not answer, or has more invoices than the list. */
  is_incomplete: Type.Boolean(),
});
export type InvoicesView = Static<typeof invoicesView>;

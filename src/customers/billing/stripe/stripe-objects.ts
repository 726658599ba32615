/** The members of Stripe's objects that the gateway reads, in the version that `StripeClient` asks for. */
export type StripePayment = {
  id: string;
  status: string;
  amount: number;
  amount_received: number;
  currency: string;
  customer: string | null;
  created: number;
  metadata: Readonly<Record<string, string>>;
};

export type StripeCheckout = {
  id: string;
  mode: 'payment' | 'subscription' | 'setup';
  status: 'open' | 'complete' | 'expired';
  payment_status: string;
  payment_intent: string | null;
  subscription: string | null;
  customer: string | null;
  url: string | null;
  metadata: Readonly<Record<string, string>>;
};

/** A price that a subscription bills. Each subscription of the gateway has one. */
export type StripeItem = { id: string; price: { id: string; currency?: string } };

export type StripeSubscription = {
  id: string;
  status: string;
  customer: string;
  cancel_at_period_end: boolean;
  current_period_start: number;
  current_period_end: number;
  metadata: Readonly<Record<string, string>>;
  currency?: string;
  items: { data: readonly [StripeItem, ...StripeItem[]] };
};

/** A refund or a dispute. */
export type StripeReversal = {
  id: string;
  status: string;
  amount: number;
  currency?: string;
  payment_intent: string | null;
};

export type StripeInvoice = {
  id: string;
  number: string | null;
  status: string | null;
  currency: string;
  total: number;
  created: number;
  period_start: number;
  period_end: number;
  subscription: string | null;
  hosted_invoice_url: string | null;
  invoice_pdf: string | null;
  lines: { data: readonly { description: string | null; amount: number }[] };
};

export type StripePaymentMethod = {
  id: string;
  type: string;
  card?: { brand: string; last4: string; exp_month: number; exp_year: number };
};

export type StripeCustomer = {
  id: string;
  invoice_settings?: { default_payment_method: string | null };
};

export type StripeList<Item> = { data: readonly Item[]; has_more: boolean };

import type { PaymentMode } from '../../money/auth/payment-mode.ts';
import type { CatalogEntry } from '../../settings/catalog/catalog.ts';

/**
 * The permission to use a model. It depends on the key, the model name, the kind of endpoint, the payment
 * mode and the snapshot alone, and not on the rest of the body.
 */
export type Permit = {
  /** The requested model. */
  entry: CatalogEntry;
  mode: PaymentMode;
  /** The name belongs to an announced model, and this model answers for it. */
  isPreview: boolean;
  /** Lists the models that may answer instead of the requested one. */
  substitutes(): readonly CatalogEntry[];
};

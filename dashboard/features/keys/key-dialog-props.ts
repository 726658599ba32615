import type { ListedKey } from '../../../src/console/dashboard/key-schema.ts';

export type KeyDialogProps = {
  apiKey: ListedKey;
  /** The keys of the organization in the API. */
  path: string;
  onClose: () => void;
};

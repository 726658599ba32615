import type { AlertRaiser } from './alert-service.ts';

export type SpendAlertParts = {
  service: AlertRaiser;
  /** Returns the share of the credits at which they are low. */
  lowShare(): number;
  /** The balance of purchased credit after the latest purchase, by account. */
  marks: Map<string, number>;
  saveMark(accountId: string, microcredits: number): void;
  /** Returns the shares of credits at which an organization itself is notified. */
  ownShares(accountId: string): readonly number[];
  nameOfAccount(id: string): Promise<string | null>;
  nameOfKey(id: string): Promise<string | null>;
};

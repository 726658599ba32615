import type { AlertKind } from '../alerts/alert.ts';
import type { Occurrence } from './occurrence.ts';

/** The alerts that open pages show at once. Others wait until a page asks. */
const types: Readonly<Partial<Record<AlertKind, Occurrence['type']>>> = {
  provider_down: 'fault',
  provider_key_refused: 'fault',
  credential_failing: 'fault',
  ledger_fault: 'fault',
  disk_low: 'fault',
  cap_80: 'budget',
  cap_100: 'budget',
  budget_warning: 'budget',
  budget_exhausted: 'budget',
  credits_low: 'budget',
};

type RaisedAlert = { event: AlertKind; message: string; data: Readonly<Record<string, unknown>> };

/**
 * Returns the occurrence of an alert, or undefined if pages do not show it at once. Members of an account see
 * its budgets, and no fault.
 */
export function alertOccurrence({ event, message, data }: RaisedAlert): Occurrence | undefined {
  const type = types[event];
  if (type === undefined) return undefined;
  const account = type === 'budget' && typeof data.account_id === 'string' ? data.account_id : null;
  return { type, account, data: { event, message, ...data } };
}

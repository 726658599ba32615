import type { AlertKind } from './alert.ts';

/** The severity of the alerts of each event. */
export const alertSeverities: Readonly<Record<AlertKind, 'info' | 'warning' | 'critical'>> = {
  cap_80: 'warning',
  cap_100: 'critical',
  budget_warning: 'warning',
  budget_exhausted: 'critical',
  credits_low: 'warning',
  provider_down: 'critical',
  provider_key_refused: 'critical',
  credential_failing: 'critical',
  ledger_fault: 'critical',
  disk_low: 'critical',
  unpriced_usage: 'warning',
  price_unconfirmed: 'warning',
  payment_reversed: 'warning',
  payment_problem: 'critical',
  auto_reload_failed: 'warning',
  shortfall_stop: 'warning',
  test: 'info',
};

import { hexOf, LARGE_SLICE, type MovedTable, sameColumns } from './moved-table.ts';

/** Accounts, keys, admin tokens, and what operators see. */
export const accountTables: readonly MovedTable[] = [
  {
    name: 'account',
    keys: ['sequence'],
    columns: sameColumns(
      `sequence id name email email_verified plan pending_plan status price_usd_per_month plan_overrides
      unpaid_from hosted_tools_stopped budgets cycle_started_at cycle_day created_at version`,
    ),
  },
  { name: 'shortfall', keys: ['entry_id'], columns: sameColumns('entry_id account_id at microcredits') },
  {
    name: 'stored_setting',
    keys: ['kind', 'id'],
    columns: sameColumns('kind id revision settings secrets secrets_set_at changed_at'),
  },
  {
    name: 'api_key',
    keys: ['sequence'],
    columns: sameColumns(
      `sequence id account_id hash hint name payg monthly_cap_usd allowed_models limits previous created_at
      person_id tags retries resumable expires_at revoked_at version`,
    ),
  },
  { name: 'key_use', keys: ['key_id'], columns: sameColumns('key_id used_at') },
  { name: 'replaced_secret', keys: ['hash'], columns: sameColumns('hash key_id') },
  {
    name: 'admin_token',
    keys: ['sequence'],
    columns: sameColumns(
      'sequence id name role hash hint previous_hash previous_ends_at created_at expires_at revoked_at version',
    ),
  },
  {
    name: 'audit',
    keys: ['sequence'],
    columns: sameColumns('sequence at actor action target before after changes'),
  },
  {
    name: 'request_group',
    keys: ['sequence'],
    rows: LARGE_SLICE,
    columns: { ...sameColumns('sequence account_id ended_at first_id last_id count'), lines: hexOf('lines') },
  },
  { name: 'request_count', keys: ['account_id'], columns: sameColumns('account_id kept') },
  ...(['hour', 'day'] as const).map((step) => ({
    name: `request_${step}`,
    keys: ['account_id', step, 'user', 'key_id', 'model', 'code'],
    columns: sameColumns(
      `account_id ${step} user key_id model code requests errors input_tokens cached_input_tokens output_tokens
      microcredits`,
    ),
  })),
  {
    name: 'traffic',
    keys: 'step cut at account_id key_id provider model status source node part'.split(' '),
    columns: sameColumns(
      `step cut at account_id key_id provider model status source node part requests errors refused attempts
      failed_attempts input_tokens cached_input_tokens output_tokens spend revenue latency first_token`,
    ),
  },
  { name: 'milestone', keys: ['name'], columns: sameColumns('name at') },
  {
    name: 'refusal_hour',
    keys: ['hour', 'account_id', 'code', 'cause', 'node', 'part'],
    columns: sameColumns('hour account_id code cause node part times first_at last_at'),
  },
  {
    name: 'provider_fault',
    keys: ['id'],
    columns: sameColumns(
      'id provider cause model first_at last_at well_at seen_at failures hidden raised recent status message',
    ),
  },
  { name: 'provider_drain', keys: ['provider'], columns: sameColumns('provider at') },
  { name: 'payload_account', keys: ['account_id'], columns: sameColumns('account_id') },
  {
    name: 'payload',
    keys: ['request_id'],
    rows: LARGE_SLICE,
    columns: { ...sameColumns('request_id account_id at'), content: hexOf('content') },
  },
  { name: 'alert', keys: ['sequence'], columns: sameColumns('sequence id at event body owner') },
  {
    name: 'alert_delivery',
    keys: ['alert_id', 'webhook'],
    columns: {
      ...sameColumns(
        'alert_id webhook host state attempts next_at ended_at status error is_organization due_at',
      ),
      // The first node that looks takes the delivery.
      held_by: "''",
      held_until: '0',
    },
  },
  { name: 'alert_occasion', keys: ['name'], columns: sameColumns('name until') },
  { name: 'credit_mark', keys: ['account_id'], columns: sameColumns('account_id microcredits') },
  {
    name: 'billing_record',
    keys: ['kind', 'id'],
    columns: sameColumns('kind id account_id reference due_at created_at version body'),
  },
  {
    name: 'saved_prompt',
    keys: ['id'],
    columns: sameColumns('id account_id name content revision changed_at changed_by'),
  },
];

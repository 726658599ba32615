import { type MovedTable, sameColumns } from './moved-table.ts';

/** People, their sessions and ways to sign in. Counted attempts stay behind. */
export const peopleTables: readonly MovedTable[] = [
  {
    name: 'person',
    keys: ['id'],
    columns: sameColumns('id email name email_verified image two_factor_enabled created_at updated_at'),
  },
  {
    name: 'person_session',
    keys: ['id'],
    columns: sameColumns('id person_id token expires_at ip_address user_agent created_at updated_at'),
  },
  {
    name: 'sign_in',
    keys: ['id'],
    columns: sameColumns('id person_id provider subject password created_at updated_at'),
  },
  {
    name: 'sign_in_token',
    keys: ['id'],
    columns: sameColumns('id identifier value expires_at created_at updated_at'),
  },
  {
    name: 'second_factor',
    keys: ['id'],
    columns: sameColumns('id person_id secret backup_codes verified failed_verification_count locked_until'),
  },
  {
    name: 'membership',
    keys: ['account_id', 'person_id'],
    columns: sameColumns('account_id person_id role created_at'),
  },
  { name: 'operator_role', keys: ['person_id'], columns: sameColumns('person_id role created_at') },
  {
    name: 'invitation',
    keys: ['id'],
    columns: sameColumns('id account_id email role token_hash invited_by created_at expires_at'),
  },
  { name: 'link_request', keys: ['id'], columns: sameColumns('id email kind created_at') },
  { name: 'people_secret', keys: ['name'], columns: sameColumns('name value') },
  {
    name: 'device_sign_in',
    keys: ['id'],
    columns: sameColumns(
      'id device_hash user_hash status account_id person_id polled_at created_at expires_at',
    ),
  },
  {
    name: 'client_token',
    keys: ['id'],
    columns: sameColumns('id hash key_id account_id person_id used_at created_at expires_at kept_until'),
  },
];

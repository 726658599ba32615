/** `time`: milliseconds since 1970. `flag`: true or false. */
export type ColumnKind = 'text' | 'number' | 'time' | 'flag';

const times = { created_at: 'time', updated_at: 'time' } as const;

/**
 * The tables of people with their columns. Statements are made from this table alone, so no other table and
 * no other column can be reached. Tokens and codes that sign somebody in are kept as hashes.
 */
export const peopleTables = {
  person: {
    id: 'text',
    email: 'text',
    name: 'text',
    email_verified: 'flag',
    image: 'text',
    two_factor_enabled: 'flag',
    ...times,
  },
  person_session: {
    id: 'text',
    person_id: 'text',
    token: 'text',
    expires_at: 'time',
    ip_address: 'text',
    user_agent: 'text',
    ...times,
  },
  sign_in: {
    id: 'text',
    person_id: 'text',
    provider: 'text',
    subject: 'text',
    password: 'text',
    ...times,
  },
  sign_in_token: { id: 'text', identifier: 'text', value: 'text', expires_at: 'time', ...times },
  second_factor: {
    id: 'text',
    person_id: 'text',
    secret: 'text',
    backup_codes: 'text',
    verified: 'flag',
    failed_verification_count: 'number',
    locked_until: 'time',
  },
  membership: { account_id: 'text', person_id: 'text', role: 'text', created_at: 'time' },
  operator_role: { person_id: 'text', role: 'text', created_at: 'time' },
  invitation: {
    id: 'text',
    account_id: 'text',
    email: 'text',
    role: 'text',
    token_hash: 'text',
    invited_by: 'text',
    created_at: 'time',
    expires_at: 'time',
  },
  link_request: { id: 'text', email: 'text', kind: 'text', created_at: 'time' },
  people_secret: { name: 'text', value: 'text' },
  device_sign_in: {
    id: 'text',
    device_hash: 'text',
    user_hash: 'text',
    status: 'text',
    account_id: 'text',
    person_id: 'text',
    polled_at: 'time',
    created_at: 'time',
    expires_at: 'time',
  },
  client_token: {
    id: 'text',
    hash: 'text',
    key_id: 'text',
    account_id: 'text',
    person_id: 'text',
    used_at: 'time',
    created_at: 'time',
    expires_at: 'time',
    kept_until: 'time',
  },
  attempt: { name: 'text', count: 'number', until: 'time' },
} as const satisfies Record<string, Record<string, ColumnKind>>;

export type PeopleTable = keyof typeof peopleTables;

/** Returns the kind of a column. Throws if the table has no such column. */
export function kindOf(table: PeopleTable, column: string): ColumnKind {
  const columns: Readonly<Record<string, ColumnKind>> = peopleTables[table];
  if (!Object.hasOwn(columns, column)) throw new Error(`the table ${table} has no column ${column}`);
  return columns[column]!;
}

import { lookUp } from '../../base/lib/records.ts';
import type { AdminRole } from '../operators/admin-token.ts';
import type { LinkKind } from './personal-link.ts';
import type { MemberRole } from './visitor.ts';

/** `time`: milliseconds since 1970. `flag`: true or false. */
export type ColumnKind = 'text' | 'number' | 'time' | 'flag';

type ColumnValue = string | number | boolean | null;
/** A column. `value` has the type of its values, and is never set. */
type Column<Value extends ColumnValue> = { readonly kind: ColumnKind; readonly value?: Value };

/** A column whose texts are these words. */
const word = <Word extends string>(): Column<Word> => ({ kind: 'text' });
const nullable = <Value extends ColumnValue>(column: Column<Value>): Column<Value | null> => column;

const text = word<string>();
const number: Column<number> = { kind: 'number' };
const time: Column<number> = { kind: 'time' };
const flag: Column<boolean> = { kind: 'flag' };

const times = { created_at: time, updated_at: time };

/**
 * The tables of people with their columns. Statements are made from this table alone, so no other table and
 * no other column can be reached. Tokens and codes that sign somebody in are kept as hashes.
 */
export const peopleTables = {
  person: {
    id: text,
    email: text,
    name: text,
    email_verified: flag,
    image: nullable(text),
    two_factor_enabled: flag,
    ...times,
  },
  person_session: {
    id: text,
    person_id: text,
    token: text,
    expires_at: time,
    ip_address: nullable(text),
    user_agent: nullable(text),
    ...times,
  },
  sign_in: {
    id: text,
    person_id: text,
    provider: text,
    subject: text,
    password: nullable(text),
    ...times,
  },
  sign_in_token: { id: text, identifier: text, value: text, expires_at: time, ...times },
  second_factor: {
    id: text,
    person_id: text,
    secret: text,
    backup_codes: text,
    verified: flag,
    failed_verification_count: number,
    locked_until: nullable(time),
  },
  membership: { account_id: text, person_id: text, role: word<MemberRole>(), created_at: time },
  operator_role: { person_id: text, role: word<AdminRole>(), created_at: time },
  invitation: {
    id: text,
    account_id: text,
    email: text,
    role: word<MemberRole>(),
    token_hash: text,
    invited_by: text,
    created_at: time,
    expires_at: time,
  },
  link_request: { id: text, email: text, kind: word<Exclude<LinkKind, 'existing'>>(), created_at: time },
  people_secret: { name: text, value: text },
  device_sign_in: {
    id: text,
    device_hash: text,
    user_hash: text,
    status: word<'pending' | 'approved' | 'denied' | 'used'>(),
    account_id: nullable(text),
    person_id: nullable(text),
    polled_at: nullable(time),
    created_at: time,
    expires_at: time,
  },
  client_token: {
    id: text,
    hash: text,
    key_id: text,
    account_id: text,
    person_id: text,
    used_at: nullable(time),
    created_at: time,
    expires_at: time,
    kept_until: time,
  },
  attempt: { name: text, count: number, until: time },
} satisfies Record<string, Record<string, Column<ColumnValue>>>;

export type PeopleTable = keyof typeof peopleTables;

/** A row of one table. */
export type RowOf<Table extends PeopleTable> = {
  [Name in keyof (typeof peopleTables)[Table]]: (typeof peopleTables)[Table][Name] extends Column<infer Value>
    ? Value
    : never;
};

/** Returns the kind of a column. Throws if the table has no such column. */
export function kindOf(table: PeopleTable, name: string): ColumnKind {
  const column = lookUp<Column<ColumnValue>>(peopleTables[table], name);
  if (!column) throw new Error(`the table ${table} has no column ${name}`);
  return column.kind;
}

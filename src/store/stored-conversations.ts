import type {
  ConversationChange,
  ConversationPart,
  ConversationStore,
  NumberedPart,
  StoredConversation,
  WantedConversation,
} from '../inference/conversation/conversation-store.ts';
import type { CommonRow, CommonValue, RowValues } from './common-queries.ts';
import type { RecordQueries } from './record-queries.ts';
import { number, text } from './row-columns.ts';
import type { SqlForms } from './sql-forms.ts';
import { SqlStatement } from './sql-statement.ts';

/** Returns the parameters of `OWN`. */
const ownValues = ({ id, keyId, now }: WantedConversation): CommonValue[] => [id, keyId, now];

/** Makes the part that was added visible. */
const COUNT_PART = 'parts = parts + 1';

const OWN = 'id = $1 AND key_id = $2 AND expires_at > $3';

const holdSql = `
  UPDATE conversation SET holder = $4, held_until = $5
  WHERE ${OWN} AND (holder IS NULL OR holder = $4 OR held_until <= $3)`;

const releaseSql = 'UPDATE conversation SET holder = NULL, held_until = 0 WHERE id = $1 AND holder = $2';

const updatePartSql = `
  UPDATE conversation_part SET input = $3, output = $4, shown_input = $5, shown_output = $6
  WHERE conversation_id = $1 AND part = $2`;

const selectPartsSql = `
  SELECT conversation_part.* FROM conversation_part
  JOIN conversation ON conversation.id = conversation_part.conversation_id
  WHERE ${OWN} AND part < parts ORDER BY part`;

const selectExpiredSql = 'SELECT id FROM conversation WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2';

/**
 * Conversations, in both kinds of databases. A new part is visible once `parts` counts it, in the statement
 * that also counts its bytes. A crash between both statements leaves a row that the next addition replaces.
 */
export class StoredConversations implements ConversationStore {
  readonly #queries: RecordQueries;

  constructor(queries: RecordQueries) {
    this.#queries = queries;
  }

  async createConversation(created: StoredConversation & { until: number }): Promise<void> {
    const statement = new SqlStatement();
    await this.#queries.run(statement.insert('conversation', newConversationRow(created)), statement.values);
  }

  async findConversation(wanted: WantedConversation): Promise<StoredConversation | undefined> {
    const [row] = await this.#queries.all(`SELECT * FROM conversation WHERE ${OWN}`, ownValues(wanted));
    return row && conversationOf(row);
  }

  async holdConversation(
    wanted: WantedConversation & { holder: string; heldUntil: number },
  ): Promise<boolean> {
    return (await this.#queries.run(holdSql, [...ownValues(wanted), wanted.holder, wanted.heldUntil])) > 0;
  }

  async releaseConversation({ id, holder }: { id: string; holder: string }): Promise<void> {
    await this.#queries.run(releaseSql, [id, holder]);
  }

  async addPart(change: ConversationChange & { part: ConversationPart; bytes: number }): Promise<boolean> {
    const { id, holder, part } = change;
    const lists = [part.model, part.input, part.output, part.shownInput, part.shownOutput];
    await this.#queries.run(insertConversationPartSql(this.#queries.forms), [id, holder, ...lists]);
    return this.#change(change, change.bytes, COUNT_PART);
  }

  async replacePart(change: ConversationChange & { part: NumberedPart; bytes: number }): Promise<boolean> {
    const { id, part } = change;
    const lists = [part.input, part.output, part.shownInput, part.shownOutput];
    if (!(await this.#change(change, -change.bytes))) return false;
    await this.#queries.run(updatePartSql, [id, part.part, ...lists]);
    return true;
  }

  setMetadata(change: ConversationChange & { metadata: string; bytes: number }): Promise<boolean> {
    return this.#change(change, change.bytes, 'metadata = $6', change.metadata);
  }

  async loadParts(wanted: WantedConversation): Promise<NumberedPart[]> {
    const rows = await this.#queries.all(selectPartsSql, ownValues(wanted));
    return rows.map((row) => ({
      part: number(row, 'part'),
      model: text(row, 'model'),
      input: text(row, 'input'),
      output: text(row, 'output'),
      shownInput: text(row, 'shown_input'),
      shownOutput: text(row, 'shown_output'),
    }));
  }

  async deleteConversation(wanted: WantedConversation): Promise<boolean> {
    return (await this.#queries.run(deleteSql(this.#queries.forms), ownValues(wanted))) > 0;
  }

  /** Removes each conversation in a transaction of its own, so that no two sweeps wait for each other. */
  async sweepConversations({ now, limit }: { now: number; limit: number }): Promise<number> {
    const rows = await this.#queries.all(selectExpiredSql, [now, limit]);
    const text = deleteExpiredSql(this.#queries.forms);
    for (const { id } of rows) await this.#queries.run(text, [String(id), now]);
    return rows.length;
  }

  /** Adds to the bytes of a conversation that the request holds. `set` changes further columns. */
  async #change(
    { id, holder, expiresAt, until }: ConversationChange,
    bytes: number,
    set?: string,
    ...values: CommonValue[]
  ): Promise<boolean> {
    const text = changeSql(this.#queries.forms, set);
    return (await this.#queries.run(text, [id, holder, expiresAt, until, bytes, ...values])) > 0;
  }
}

/** Returns the row of a conversation without parts, which no request holds. */
const newConversationRow = (created: StoredConversation & { until: number }): RowValues => ({
  id: created.id,
  key_id: created.keyId,
  account_id: created.accountId,
  created_at: created.createdAt,
  expires_at: created.expiresAt,
  until: created.until,
  metadata: created.metadata,
  stored: created.stored,
  parts: 0,
  holder: null,
  held_until: 0,
});

const conversationOf = (row: CommonRow): StoredConversation => ({
  id: text(row, 'id'),
  keyId: text(row, 'key_id'),
  accountId: text(row, 'account_id'),
  createdAt: number(row, 'created_at'),
  expiresAt: number(row, 'expires_at'),
  metadata: text(row, 'metadata'),
  stored: number(row, 'stored'),
  parts: number(row, 'parts'),
});

/**
 * Locks the account's bytes before the conversation's row. A charge that adds to a conversation locks them in
 * the same order. The condition is tested last, so it is tested for at most one row.
 */
const locked = ({ lockStored }: SqlForms): string => lockStored('account_id');

const changeSql = (forms: SqlForms, set?: string): string => `
  UPDATE conversation SET expires_at = $3, until = $4, stored = stored + $5${set ? `, ${set}` : ''}
  WHERE id = $1 AND holder = $2 AND ${locked(forms)}`;

/** Makes the part visible that `insertConversationPartSql` has added, and counts its bytes. */
export const countConversationPartSql = (forms: SqlForms): string => changeSql(forms, COUNT_PART);

/**
 * Adds the next part of a conversation that the request holds.
 * Nothing is added if the conversation is deleted meanwhile.
 */
export const insertConversationPartSql = (forms: SqlForms): string => `
  INSERT INTO conversation_part (conversation_id, part, model, input, output, shown_input, shown_output)
  SELECT id, parts, CAST($3 AS TEXT), CAST($4 AS TEXT), CAST($5 AS TEXT), CAST($6 AS TEXT), CAST($7 AS TEXT)
  FROM conversation WHERE id = $1 AND holder = $2 AND ${locked(forms)} ${forms.forUpdate}
  ON CONFLICT (conversation_id, part) DO UPDATE SET model = excluded.model, input = excluded.input,
    output = excluded.output, shown_input = excluded.shown_input, shown_output = excluded.shown_output`;

const deleteSql = (forms: SqlForms): string => `DELETE FROM conversation WHERE ${OWN} AND ${locked(forms)}`;

const deleteExpiredSql = (forms: SqlForms): string =>
  `DELETE FROM conversation WHERE id = $1 AND expires_at <= $2 AND ${locked(forms)}`;

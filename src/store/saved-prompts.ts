import type { AddOutcome, PromptStore } from '../customers/prompts/prompt-store.ts';
import type { ListedPrompt, SavedPrompt } from '../customers/prompts/saved-prompt.ts';
import type { CommonRow, StatementSteps } from './common-queries.ts';
import type { RecordQueries } from './record-queries.ts';
import { number, text } from './row-columns.ts';
import type { SqlForms } from './sql-forms.ts';

/** Changes nothing if another prompt has the name, or if the revision is not the stored one. */
const updatePromptSql = `
  UPDATE saved_prompt SET name = $3, content = $4, revision = $5 + 1, changed_at = $6, changed_by = $7
  WHERE id = $1 AND account_id = $2 AND revision = $5
    AND NOT EXISTS (
      SELECT 1 FROM saved_prompt other WHERE other.account_id = $2 AND other.name = $3 AND other.id <> $1)`;
const selectPromptSql = 'SELECT * FROM saved_prompt WHERE account_id = $1 AND id = $2';
const selectPromptsSql = `
  SELECT id, account_id, name, revision, changed_at, changed_by
  FROM saved_prompt WHERE account_id = $1 ORDER BY name`;
const deletePromptSql = 'DELETE FROM saved_prompt WHERE account_id = $1 AND id = $2';

/** The saved prompts of organizations in both kinds of databases. */
export class SavedPrompts implements PromptStore {
  readonly #queries: RecordQueries;

  constructor(queries: RecordQueries) {
    this.#queries = queries;
  }

  addPrompt(prompt: SavedPrompt, limit: number): Promise<AddOutcome> {
    return this.#queries.transaction(() => addPrompt(this.#queries.forms, prompt, limit));
  }

  async savePrompt(prompt: SavedPrompt): Promise<boolean> {
    return (await this.#queries.run(updatePromptSql, valuesOf(prompt))) > 0;
  }

  async findPrompt(accountId: string, id: string): Promise<SavedPrompt | undefined> {
    const [row] = await this.#queries.all(selectPromptSql, [accountId, id]);
    return row && { ...listedOf(row), content: text(row, 'content') };
  }

  async listPrompts(accountId: string): Promise<ListedPrompt[]> {
    return (await this.#queries.all(selectPromptsSql, [accountId])).map(listedOf);
  }

  async removePrompt(accountId: string, id: string): Promise<boolean> {
    return (await this.#queries.run(deletePromptSql, [accountId, id])) > 0;
  }
}

const countPromptsSql = 'SELECT count(*) AS prompts FROM saved_prompt WHERE account_id = $1';
const insertPromptSql = `
  INSERT INTO saved_prompt (id, account_id, name, content, revision, changed_at, changed_by)
  VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING RETURNING id`;

/** Adds a prompt. The lock keeps other additions from being counted too late. */
function* addPrompt(forms: SqlForms, prompt: SavedPrompt, limit: number): StatementSteps<AddOutcome> {
  const { accountId } = prompt;
  yield { text: forms.takeLock, values: [`prompts ${accountId}`] };
  const [counted] = yield { text: countPromptsSql, values: [accountId] };
  if (Number(counted?.prompts) >= limit) return 'full';
  const added = yield { text: insertPromptSql, values: valuesOf(prompt) };
  return added.length > 0 ? 'added' : 'taken';
}

/** The values of both statements that write a prompt. */
const valuesOf = ({ id, accountId, name, content, revision, changedAt, changedBy }: SavedPrompt) =>
  [id, accountId, name, content, revision, changedAt, changedBy] as const;

const listedOf = (row: CommonRow): ListedPrompt => ({
  id: text(row, 'id'),
  accountId: text(row, 'account_id'),
  name: text(row, 'name'),
  revision: number(row, 'revision'),
  changedAt: number(row, 'changed_at'),
  changedBy: text(row, 'changed_by'),
});

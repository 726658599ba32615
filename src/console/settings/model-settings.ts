import { Refusal } from '../../base/errors/refusal.ts';
import type { Fields } from '../../base/schema/json-type.ts';
import type { AuditAction } from '../../money/accounts/audit-action.ts';
import type { Snapshot } from '../../settings/snapshot/snapshot.ts';
import type { StoredProblem } from '../../settings/snapshot/stored-rows-taker.ts';
import { formatModel, readModel } from '../../settings/stored/read-model.ts';
import type { StoredModel } from '../../settings/stored/stored-rows.ts';
import type { StoredSetting } from '../../settings/stored/stored-setting.ts';
import { type DryRun, describeDryRun } from './dry-run.ts';
import { modelIdOf } from './model-id-of.ts';
import { idTaken, type ModelPlaces, nothingStored, unknownModel } from './model-refusals.ts';
import { changedMeanwhile, invalidField } from './setting-refusals.ts';
import type { SettingsBook } from './settings-book.ts';
import type { YesterdaysCost, YesterdaysQuestion } from './yesterdays-cost.ts';

export type ModelFields = Fields & { hidden?: boolean };

export type ModelSettingsParts = {
  book: SettingsBook;
  configFile: string | null;
  now(): number;
  yesterday(question: YesterdaysQuestion): Promise<YesterdaysCost>;
};

/** A change of a model, with the settings after it. */
export type ModelChange = {
  id: string;
  next: Snapshot;
  /** Undefined if the change is made. */
  dryRun: DryRun | undefined;
};

/** `isDry`: nothing is stored. */
export type ModelOrder = { actor: string; isDry: boolean };

/** A change of one row. `next` is null for a removal. `sent` has the fields that the operator sent. */
type RowOrder = {
  id: string;
  sent: Fields;
  before: StoredSetting | undefined;
  next: Omit<StoredModel, 'id' | 'revision'> | null;
  action: AuditAction;
};

/** Models that operators make, change and remove. */
export class ModelSettings {
  readonly #parts: ModelSettingsParts;

  constructor(parts: ModelSettingsParts) {
    this.#parts = parts;
  }

  create(
    { hidden = false, ...fields }: ModelFields & { id: string },
    order: ModelOrder,
  ): Promise<ModelChange | Refusal> {
    return this.#parts.book.inTurn(async () => {
      const { id } = fields;
      const holderId = modelIdOf(this.#parts.book.current, id);
      if (holderId !== undefined) return idTaken(id, holderId, this.#places);
      const next = { isOverlay: false, isHidden: hidden, fields };
      return this.#apply({ id, sent: fields, before: undefined, next, action: 'model-create' }, order);
    });
  }

  /** A change of a model that is not stored makes a stored row that lies over it. */
  change(
    name: string,
    { revision, hidden, ...changes }: ModelFields & { revision?: number },
    order: ModelOrder,
  ): Promise<ModelChange | Refusal> {
    return this.#parts.book.inTurn(async () => {
      const { book } = this.#parts;
      const id = modelIdOf(book.current, name) ?? name;
      const before = await book.find('model', id);
      if (!before && !book.current.rows().has(id)) return unknownModel(id, this.#places);
      if (revision !== undefined && revision !== (before?.revision ?? 0)) return changedMeanwhile();
      const former = before && readModel(before);
      const next = {
        isOverlay: former?.isOverlay ?? true,
        isHidden: hidden ?? former?.isHidden ?? false,
        fields: { ...former?.fields, ...changes },
      };
      return this.#apply({ id, sent: changes, before, next, action: 'model-change' }, order);
    });
  }

  remove(name: string, order: ModelOrder): Promise<ModelChange | Refusal> {
    return this.#parts.book.inTurn(async () => {
      const { book } = this.#parts;
      const id = modelIdOf(book.current, name) ?? name;
      const before = await book.find('model', id);
      if (before) return this.#apply({ id, sent: {}, before, next: null, action: 'model-delete' }, order);
      const isKnown = modelIdOf(book.current, id) !== undefined;
      return isKnown ? nothingStored(id, this.#places) : unknownModel(id, this.#places);
    });
  }

  async #apply(rowOrder: RowOrder, { actor, isDry }: ModelOrder): Promise<ModelChange | Refusal> {
    const { book, now } = this.#parts;
    const { id, before, next, action } = rowOrder;
    const former = book.current;
    const setting = next && {
      kind: 'model' as const,
      id,
      revision: before?.revision ?? 1,
      settings: formatModel(next),
      secrets: null,
      secretsSetAt: null,
      changedAt: now(),
    };
    const audit = {
      action,
      target: id,
      before: before ? auditOf(readModel(before)) : null,
      after: next && auditOf(next),
      actor,
    };
    const applied = await book.apply({ before, next: setting, audit }, ({ problems }) => {
      const problem = next && this.#problemOf(rowOrder, problems);
      if (problem) return invalidField(problem);
      return isDry ? 'dry' : undefined;
    });
    if (applied instanceof Refusal) return applied;
    const changed = { id, former, next: applied.next, fields: next?.fields };
    const dryRun = isDry ? await describeDryRun(changed, this.#parts) : undefined;
    return { id, next: applied.next, dryRun };
  }

  /**
   * A change must bring no problem. An earlier problem of its row stays unless the operator sends that field,
   * so a model whose provider was removed can be hidden.
   */
  #problemOf({ id, sent }: RowOrder, problems: readonly StoredProblem[]): StoredProblem | undefined {
    const earlierProblems = new Set(this.#parts.book.problems.map(problemText));
    const isSent = (problem: StoredProblem) => problem.id === id && String(problem.path[0]) in sent;
    return problems.find((problem) => isSent(problem) || !earlierProblems.has(problemText(problem)));
  }

  get #places(): ModelPlaces {
    const { book, configFile } = this.#parts;
    return { snapshot: book.current, configFile };
  }
}

const problemText = ({ id, message }: StoredProblem): string => `${id} ${message}`;

/** Returns a model as the audit log has it. */
const auditOf = ({ fields, isHidden }: Pick<StoredModel, 'fields' | 'isHidden'>): Fields => ({
  ...fields,
  hidden: isHidden,
});

import { Refusal } from '../../base/errors/refusal.ts';
import type { Fields } from '../../base/schema/json-type.ts';
import type { AuditAction } from '../../money/accounts/audit-action.ts';
import type { Pricing } from '../../settings/catalog/model.ts';
import type { Snapshot } from '../../settings/snapshot/snapshot.ts';
import type { StoredProblem } from '../../settings/snapshot/stored-snapshot.ts';
import { formatModel, readModel } from '../../settings/stored/read-model.ts';
import type { StoredModel } from '../../settings/stored/stored-rows.ts';
import type { StoredSetting } from '../../settings/stored/stored-setting.ts';
import { changesBetween, effectiveRow, type RowChange } from './effective-row.ts';
import { findEntry } from './find-entry.ts';
import { changedMeanwhile, invalidField } from './setting-refusals.ts';
import type { Preview, SettingsBook } from './settings-book.ts';
import type { YesterdaysCost, YesterdaysQuestion } from './yesterdays-cost.ts';

export type ModelFields = Fields & { hidden?: boolean };

export type ModelSettingsParts = {
  book: SettingsBook;
  configFile: string | null;
  now(): number;
  yesterday(question: YesterdaysQuestion): Promise<YesterdaysCost>;
};

/** `isDry`: nothing is stored. */
export type ModelOrder = { actor: string; isDry: boolean };

/** The effect of a change of a model. */
export type ModelChange = {
  id: string;
  changes: RowChange[];
  yesterday: YesterdaysCost | null;
  /** The settings with the change. */
  next: Snapshot;
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
      if (holderId !== undefined) return this.#taken(id, holderId);
      const next = { isOverlay: false, isHidden: hidden, fields };
      return this.#apply({ id, before: undefined, next, action: 'model-create' }, order);
    });
  }

  /** A change of a model that is not stored makes a stored row that lies over it. */
  change(
    name: string,
    { revision, hidden, ...changes }: ModelFields & { revision?: number },
    order: ModelOrder,
  ): Promise<ModelChange | Refusal> {
    return this.#parts.book.inTurn(async () => {
      const id = modelIdOf(this.#parts.book.current, name) ?? name;
      const before = await this.#parts.book.find('model', id);
      if (!before && !this.#parts.book.current.rows().has(id)) return this.#unknown(id);
      if (revision !== undefined && revision !== (before?.revision ?? revision)) return changedMeanwhile();
      const former = before && readModel(before);
      const next = {
        isOverlay: former?.isOverlay ?? true,
        isHidden: hidden ?? former?.isHidden ?? false,
        fields: { ...former?.fields, ...changes },
      };
      return this.#apply({ id, before, next, action: 'model-change' }, order);
    });
  }

  remove(name: string, order: ModelOrder): Promise<ModelChange | Refusal> {
    return this.#parts.book.inTurn(async () => {
      const { current } = this.#parts.book;
      const id = modelIdOf(current, name) ?? name;
      const before = await this.#parts.book.find('model', id);
      if (before) return this.#apply({ id, before, next: null, action: 'model-delete' }, order);
      if (modelIdOf(current, id) === undefined) return this.#unknown(id);
      const message = `The model '${id}' is ${this.#placeOf(id)}, so there is no stored row to remove. Hide it instead.`;
      return new Refusal('conflict', { message });
    });
  }

  async #apply(change: Change, { actor, isDry }: ModelOrder): Promise<ModelChange | Refusal> {
    const { book, now } = this.#parts;
    const { id, before, next, action } = change;
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
      before: before ? bodyOf(before) : null,
      after: next && bodyOfModel(next),
      actor,
    };
    const applied = await book.apply({ before, next: setting, audit }, ({ problems }) => {
      const problem = next && this.#problemOf(id, problems);
      if (problem) return invalidField(problem);
      return isDry ? 'dry' : undefined;
    });
    if (applied instanceof Refusal) return applied;
    return this.#describe(change, former, applied, isDry);
  }

  /** Describes the effect of a change. */
  async #describe(change: Change, former: Snapshot, { next }: Preview, isDry: boolean): Promise<ModelChange> {
    const { id } = change;
    const before = effectiveRow(former, id);
    const after = effectiveRow(next, id);
    const changedFields = new Set([...Object.keys(change.next?.fields ?? before ?? {}), 'hidden']);
    const yesterday = isDry
      ? await this.#parts.yesterday({
          model: id,
          before: before ? pricingOf(former, id) : null,
          after: after ? pricingOf(next, id) : null,
          now: this.#parts.now(),
        })
      : null;
    return { id, changes: changesBetween(before, after, changedFields), yesterday, next };
  }

  /** A change must not bring a problem of its own row, or a new one of another stored row. */
  #problemOf(id: string, problems: readonly StoredProblem[]): StoredProblem | undefined {
    const earlierProblems = new Set(this.#parts.book.problems.map(textOf));
    return (
      problems.find((problem) => problem.id === id) ??
      problems.find((problem) => !earlierProblems.has(textOf(problem)))
    );
  }

  /** Refuses the id of a new model that is a name of another one. */
  #taken(id: string, holderId: string): Refusal {
    const state = id === holderId ? 'exists already' : `is already a name of '${holderId}'`;
    const message = `The model '${id}' ${state}, ${this.#placeOf(holderId)}.`;
    return new Refusal('conflict', { message, param: 'id' });
  }

  #placeOf(id: string): string {
    const source = this.#parts.book.current.rows().get(id)?.source ?? 'found';
    return {
      file: `in the configuration file ${this.#parts.configFile ?? ''}`.trim(),
      'built-in': 'in the default catalog',
      found: 'offered by a local server that was found',
      stored: 'as a stored row',
    }[source];
  }

  #unknown(id: string): Refusal {
    if (modelIdOf(this.#parts.book.current, id) === undefined)
      return new Refusal('not_found', { message: `There is no model '${id}'.` });
    const message = `The model '${id}' is ${this.#placeOf(id)}. Make a model of another id with a route to it.`;
    return new Refusal('conflict', { message });
  }
}

type Change = {
  id: string;
  before: StoredSetting | undefined;
  next: Omit<StoredModel, 'id' | 'revision'> | null;
  action: AuditAction;
};

const textOf = ({ id, message }: StoredProblem): string => `${id} ${message}`;

/** Returns the id of the model with a name, hidden or not. */
const modelIdOf = (snapshot: Snapshot, name: string): string | undefined =>
  snapshot.rows().has(name) ? name : findEntry(snapshot, name)?.model.id;

const pricingOf = (snapshot: Snapshot, id: string): Pricing | null =>
  findEntry(snapshot, id)?.model.pricing ?? null;

const bodyOf = (setting: StoredSetting): Fields => bodyOfModel(readModel(setting));
const bodyOfModel = ({ fields, isHidden }: Pick<StoredModel, 'fields' | 'isHidden'>): Fields => ({
  ...fields,
  hidden: isHidden,
});

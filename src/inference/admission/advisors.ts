import type { Refusal } from '../../base/errors/refusal.ts';
import { listOf, objectOf, textOf } from '../../base/json/read-json.ts';
import type { Catalog, CatalogEntry } from '../../settings/catalog/catalog.ts';
import { findUpstreamModel } from '../../settings/catalog/find-upstream-model.ts';
import { type ModelQuestion, refuseModel } from './model-admission.ts';

type Body = Readonly<Record<string, unknown>>;

/** The names of the models that tools of a request consult. Undefined: a tool names none. */
export function advisorsOf({ tools }: Body): (string | undefined)[] {
  const names: (string | undefined)[] = [];
  for (const tool of listOf(tools)) {
    const { type, model } = objectOf(tool);
    if (textOf(type)?.startsWith('advisor')) names.push(textOf(model));
  }
  return names;
}

/** The catalog's model for such a name, which is a public name or the vendor's. */
export const findAdvisor = (
  name: string | undefined,
  catalog: Pick<Catalog, 'entries' | 'find'>,
): CatalogEntry | undefined =>
  name === undefined ? undefined : (catalog.find(name) ?? findUpstreamModel(name, catalog));

/** Refuses a request whose tool consults a model that the caller may not use. */
export function refuseAdvisors(body: Body, question: Omit<ModelQuestion, 'entry'>): Refusal | undefined {
  for (const name of advisorsOf(body)) {
    const entry = findAdvisor(name, question.snapshot.catalog);
    const refusal = entry && refuseModel({ ...question, entry });
    if (refusal) return refusal;
  }
  return undefined;
}

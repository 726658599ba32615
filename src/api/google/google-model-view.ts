import type { CatalogEntry } from '../../settings/catalog/catalog.ts';
import type { ModelKind } from '../../translation/canonical/model-kind.ts';
import type { GoogleModel } from './google-descriptions.ts';

/** The methods of a model, by its kind. Models of other kinds are not listed. */
const methods: Readonly<Partial<Record<ModelKind, readonly string[]>>> = {
  chat: ['generateContent', 'countTokens'],
  embedding: ['embedContent', 'batchEmbedContents'],
};

/** Reports whether Google's clients can call the model. */
export const isListedForGoogle = ({ model }: CatalogEntry): boolean => methods[model.kind] !== undefined;

/** Shows a model in the form of Google's list. */
export function googleModelView({ model }: CatalogEntry): GoogleModel {
  const { id, displayName, description, contextWindow, maxOutput, capabilities, kind } = model;
  return {
    name: `models/${id}`,
    baseModelId: id,
    version: '001',
    displayName,
    description,
    inputTokenLimit: contextWindow,
    ...(maxOutput !== null && { outputTokenLimit: maxOutput }),
    supportedGenerationMethods: [...(methods[kind] ?? [])],
    thinking: capabilities.reasoning,
  };
}

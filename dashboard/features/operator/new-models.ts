import { call } from '../../app/call.ts';
import { asProblem } from '../../app/problem.ts';
import type { FormValues } from '../../components/form.tsx';
import { toast } from '../../components/toasts.tsx';
import { OPERATOR } from './operator-api.ts';

const BOX = 'model:';

/** Returns the name of the box of a model that a provider offers. */
export const boxOf = (model: string): string => BOX + model;

/** Returns the models whose boxes are checked. The form has no value for the others. */
const checkedModels = (values: FormValues): string[] =>
  Object.keys(values)
    .filter((name) => name.startsWith(BOX))
    .map((name) => name.slice(BOX.length));

/**
 * Stores a model for each box that is checked, with a route to the provider. The provider is stored already,
 * so a model that is refused is reported and ends nothing.
 */
export async function storeCheckedModels(provider: string, values: FormValues): Promise<void> {
  for (const model of checkedModels(values))
    await storeModel(provider, model, values).catch((error: unknown) =>
      toast(`The model ${model} was not added. ${asProblem(error).message}`, 'error'),
    );
}

const storeModel = (provider: string, model: string, values: FormValues): Promise<unknown> =>
  call('POST', `${OPERATOR}/models`, {
    id: publicName(model),
    plan: 'free',
    context_window: numberOf(values.context_window),
    pricing_usd_per_mtok: { input: numberOf(values.input), output: numberOf(values.output) },
    capabilities: { tools: true, reasoning: false, vision: false, documents: false },
    routes: [{ provider, model }],
  });

const numberOf = (text: string | undefined): number => Number(text || 0);

/** Returns the public id of a model. It has no slashes. */
export const publicName = (model: string): string => model.replaceAll('/', '-');

import { call } from '../../app/call.ts';
import type { FormValues } from '../../components/form.tsx';
import { OPERATOR } from './operator-api.ts';

/** The prefix of the names of boxes. Each model that the provider offers has one. */
export const PICKED = 'model:';

const numberOf = (text: string | undefined): number => Number(text || 0);

/** Stores a model for each box that is checked, with a route to the provider. */
export async function storePicked(provider: string, values: FormValues): Promise<void> {
  const picked = Object.keys(values).filter((name) => name.startsWith(PICKED));
  for (const name of picked) {
    const model = name.slice(PICKED.length);
    await call('POST', `${OPERATOR}/models`, {
      id: publicName(model),
      plan: 'free',
      context_window: numberOf(values.context_window),
      pricing_usd_per_mtok: { input: numberOf(values.input), output: numberOf(values.output) },
      capabilities: { tools: true, reasoning: false, vision: false, documents: false },
      routes: [{ provider, model }],
    });
  }
}

/** A public id has no slashes. */
export const publicName = (model: string): string => model.replaceAll('/', '-');

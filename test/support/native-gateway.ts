import type { Flavor } from './batch-client.ts';
import type { Json } from './call.ts';
import { isLong } from './is-long.ts';
import { sampleModel } from './sample-config.ts';
import { countRows } from './store-rows.ts';

const provider = (id: string, wire: string, { url, batch }: { url: string; batch: string }) => ({
  id: `hidden-${id}`,
  wire,
  batch,
  base_url: url,
  api_key: 'upstream-key',
});
export const nativeModel = (id: string, wire: string, fields: Json = {}) =>
  sampleModel(id, { routes: [{ provider: `hidden-${id}`, model: `hidden-${id}` }], ...fields }, wire);

/**
 * Configures a model of each vendor that has batches, at half price, a model of a vendor without
 * them, and a model on Google's wire.
 */
export function nativeConfig(url: string, priced: Json = { input: 0.5, output: 2, cached_input: null }) {
  const half = { native_batch_pricing_usd_per_mtok: priced };
  return {
    simulator: { mode: 'off' },
    providers: [
      provider('claude', 'anthropic-messages', { url, batch: 'native' }),
      provider('gpt', 'openai-chat', { url, batch: 'native' }),
      provider('plain', 'openai-chat', { url, batch: 'none' }),
      provider('google', 'google-generate', { url, batch: 'native' }),
    ],
    catalog: {
      default: false,
      models: [
        nativeModel('claude', 'anthropic-messages', half),
        nativeModel('gpt', 'openai-chat', half),
        nativeModel('plain', 'openai-chat'),
        nativeModel('google', 'google-generate'),
      ],
    },
  };
}

/**
 * Returns the native models to test with each flavor. In the ordinary run, each flavor and each vendor
 * appears once.
 */
export const nativeModels = ({ name }: Flavor): string[] =>
  isLong ? ['claude', 'gpt'] : [name === 'messages' ? 'claude' : 'gpt'];

/** Items with those prompts, for the models in turn. */
export const nativeItems = (
  { params }: Flavor,
  models: readonly string[],
  { prompts, fields }: { prompts: readonly string[]; fields?: Json },
): Json[] =>
  prompts.map((content, index) => ({
    custom_id: `item-${index}`,
    params: params(models[index % models.length]!, { messages: [{ role: 'user', content }], ...fields }),
  }));

/** Reports whether the store has the provider's id of each submission, so that a kill loses none. */
export async function areSubmissionsKept(dataDirectory: string): Promise<boolean> {
  return (await countRows(dataDirectory, 'native_submission WHERE upstream_id IS NULL')) === 0;
}

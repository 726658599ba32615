import { stringify } from 'yaml';
import { widePlan } from '../wide-plan.ts';
import { modelId } from '../workload.ts';

const benchModel = {
  id: modelId,
  display_name: 'Bench model',
  plan: 'free',
  tier: 'workhorse',
  kind: 'chat',
  delivery: 'exact',
  created: 1_750_000_000,
  owned_by: 'bench',
  context_window: 131_072,
  max_output: 8_192,
  capabilities: { tools: true, reasoning: false, vision: false, documents: false },
  pricing_usd_per_mtok: { input: 1, output: 4, cached_input: 0.1 },
  routes: [{ provider: 'bench', model: 'bench-upstream', weight: 1 }],
};

type ConfigurationSettings = { upstreamPort: number; hasWholeCatalog: boolean };

/** Returns the configuration file of the gateway under test. */
export function formatTollgateConfiguration({
  upstreamPort,
  hasWholeCatalog,
}: ConfigurationSettings): string {
  const provider = {
    id: 'bench',
    wire: 'openai-chat',
    base_url: `http://127.0.0.1:${upstreamPort}/v1`,
    api_key: 'bench-key',
    max_concurrent: widePlan.concurrent,
  };
  return stringify({
    server: { drain_notice_s: 0 },
    providers: [provider],
    catalog: { default: hasWholeCatalog, models: [benchModel] },
    plans: { enterprise: { ...widePlan, max_prompt_tokens: null } },
  });
}

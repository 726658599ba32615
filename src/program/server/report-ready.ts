import type { AssembledServer } from '../assembly/assembled-server.ts';
import { upstreamFacts } from './upstream-facts.ts';

export type ReadyFacts = {
  url: string;
  adminUrl: string | undefined;
  adminTokenFile: string;
  firstKeyFile: string;
  hasToken: boolean;
  hasFirstKey: boolean;
};

/**
 * Logs the start. Logs are often collected, so the line names the files of the secrets instead of the
 * secrets.
 */
export function reportReady({ logger, snapshot }: AssembledServer, facts: ReadyFacts): void {
  const { liveProviders, realModels, simulatedModels } = upstreamFacts(snapshot());
  logger.info('ready', {
    url: facts.url,
    base_url: `${facts.url}/v1`,
    ...(facts.adminUrl !== undefined && { admin_url: facts.adminUrl }),
    ...(facts.hasToken && { admin_token_file: facts.adminTokenFile }),
    ...(facts.hasFirstKey && { first_key_file: facts.firstKeyFile }),
    providers: liveProviders,
    models: realModels,
    simulated_models: simulatedModels.length,
  });
  logger.flush();
}

import type { CloudPlan } from '../../settings/hosts/cloud-plan.ts';
import type {
  CredentialFactory,
  CredentialFailure,
  ProviderCredential,
} from '../../settings/hosts/provider-credential.ts';
import { awsSources } from './aws-sources.ts';
import { azureSources } from './azure-sources.ts';
import type { FetchSecret } from './fetched-secret.ts';
import { googleSources } from './google-sources.ts';
import { RenewingCredential } from './renewing-credential.ts';

export type CredentialObserver = {
  failed(providerId: string, failure: CredentialFailure): void;
  recovered(providerId: string): void;
};

type Known = { plan: string; credential: ProviderCredential };

/** Holds the credential of each provider. A reload with the same settings keeps its secret. */
export class CredentialRegistry {
  readonly #known = new Map<string, Known>();
  /** The server's clock. */
  now: () => number = Date.now;
  /** Called at each failed renewal, and when a renewal succeeds after one. */
  observer: CredentialObserver = { failed: () => {}, recovered: () => {} };

  /** Changed settings, such as a changed variable, begin anew. */
  readonly of: CredentialFactory = (providerId, plan) => {
    const text = JSON.stringify(plan);
    const known = this.#known.get(providerId);
    if (known?.plan === text) return known.credential;
    const credential = new RenewingCredential({
      ...{ kind: plan.kind, ask: sourcesOf(plan, () => this.now()), now: () => this.now() },
      fixedSecrets: secretsOf(plan),
      failed: (failure) => this.observer.failed(providerId, failure),
      recovered: () => this.observer.recovered(providerId),
    });
    this.#known.set(providerId, { plan: text, credential });
    return credential;
  };
}

function secretsOf(plan: CloudPlan): readonly string[] {
  if (plan.kind === 'google') return [];
  const own =
    plan.kind === 'aws' ? [plan.accessKeyId, plan.secretAccessKey, plan.sessionToken] : [plan.clientSecret];
  return own.filter((secret) => secret !== null);
}

function sourcesOf(plan: CloudPlan, now: () => number): FetchSecret {
  if (plan.kind === 'aws') return awsSources(plan, now);
  return plan.kind === 'azure' ? azureSources(plan, now) : googleSources(plan, now);
}

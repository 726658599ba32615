import type { CloudPlan } from '../../settings/hosts/cloud-plan.ts';
import type {
  CredentialFactory,
  CredentialFailure,
  ProviderCredential,
} from '../../settings/hosts/provider-credential.ts';
import { awsSources } from './aws-sources.ts';
import { azureSources } from './azure-sources.ts';
import type { FetchSecret, SourceClock } from './fetched-secret.ts';
import { googleSources } from './google-sources.ts';
import { RenewingCredential } from './renewing-credential.ts';

export type CredentialObserver = {
  onFailure(providerId: string, failure: CredentialFailure): void;
  recovered(providerId: string): void;
};

/**
 * The settings that are kept of each provider, the latest ones last. A built-in provider and a row of its id
 * can take turns in each reload, and a reload that fails leaves the settings before it in use.
 */
const KEPT_PLANS = 2;

type Shared = { credential: ProviderCredential; providers: Set<string> };

/**
 * Holds the credentials of providers. Providers with the same settings share one, and a reload with the same
 * settings keeps it.
 */
export class CredentialRegistry {
  readonly #byPlan = new Map<string, Shared>();
  readonly #plansOf = new Map<string, readonly string[]>();
  /** The server's clock. */
  now: () => number = Date.now;
  /** Learns of each failed renewal, and of the first renewal that succeeds after it. */
  observer: CredentialObserver = { onFailure: () => {}, recovered: () => {} };

  /** Changed settings, such as a changed variable, begin anew. */
  readonly of: CredentialFactory = (providerId, plan) => {
    const text = JSON.stringify(plan);
    const entry = this.#byPlan.get(text);
    if (entry?.providers.has(providerId)) entry.credential.reload();
    const { credential, providers } = entry ?? this.#create(plan);
    providers.add(providerId);
    this.#byPlan.set(text, { credential, providers });
    this.#keepLatest(providerId, text);
    return credential;
  };

  #keepLatest(providerId: string, text: string): void {
    const others = (this.#plansOf.get(providerId) ?? []).filter((other) => other !== text);
    const plans = [...others, text];
    for (const old of plans.slice(0, -KEPT_PLANS)) this.#leave(providerId, old);
    this.#plansOf.set(providerId, plans.slice(-KEPT_PLANS));
  }

  #create(plan: CloudPlan): Shared {
    const providers = new Set<string>();
    const credential = new RenewingCredential({
      kind: plan.kind,
      now: () => this.now(),
      ask: sourcesOf(plan, { now: () => this.now(), wall: Date.now }),
      fixedSecrets: secretsOf(plan),
      onFailure: (failure) => {
        for (const id of providers) this.observer.onFailure(id, failure);
      },
      recovered: () => {
        for (const id of providers) this.observer.recovered(id);
      },
    });
    return { credential, providers };
  }

  #leave(providerId: string, text: string): void {
    const existing = this.#byPlan.get(text);
    existing?.providers.delete(providerId);
    if (existing?.providers.size === 0) this.#byPlan.delete(text);
  }
}

function secretsOf(plan: CloudPlan): readonly string[] {
  if (plan.kind === 'google') return [];
  const secrets =
    plan.kind === 'aws' ? [plan.accessKeyId, plan.secretAccessKey, plan.sessionToken] : [plan.clientSecret];
  return secrets.filter((secret) => secret !== null);
}

function sourcesOf(plan: CloudPlan, clock: SourceClock): FetchSecret {
  if (plan.kind === 'aws') return awsSources(plan, clock.wall);
  return plan.kind === 'azure' ? azureSources(plan, clock) : googleSources(plan, clock);
}

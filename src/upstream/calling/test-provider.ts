import { codeOfError } from '../../base/lib/error-code.ts';
import type { CatalogEntry } from '../../settings/catalog/catalog.ts';
import { CredentialFailure } from '../../settings/hosts/provider-credential.ts';
import type { Provider } from '../../settings/hosts/providers.ts';
import type { Wire } from '../../translation/canonical/wire.ts';
import { askForModels, askModelBriefly, SMALL_TIMEOUT_MS, type SmallReply } from './ask-small.ts';
import { causeOfFailure, type FailureCause, failureRemedies } from './failure-cause.ts';
import { failureOfStatus } from './failure-of-status.ts';
import { isCertificateFault } from './provider-fault.ts';
import { answerTextIn, modelIdsIn } from './read-small-answer.ts';
import { redactUpstreamError, withoutKeys } from './redact-upstream-error.ts';
import { cheapestCall, hasSmallCall, smallCall } from './small-call.ts';

/** Enough for a word, and cheap. */
const TOKENS = 32;

/** The result of a test, as operators see it. */
export type ProviderTest = {
  ok: boolean;
  /** The status of the latest answer. `null` means that none arrived. */
  status: number | null;
  durationMs: number;
  model: string | null;
  text: string | null;
  /** The models that the provider offers. */
  models: string[];
  error: { cause: FailureCause; message: string; remedy: string } | null;
};

type TestError = NonNullable<ProviderTest['error']>;

/** The findings of a test so far. */
type Findings = Partial<Omit<ProviderTest, 'ok'>>;

/**
 * Calls a provider: its list of models, and then a short answer of a model. Without `wanted`, the cheapest
 * routed or a listed one answers.
 */
export async function testProvider(
  provider: Provider,
  catalog: readonly CatalogEntry[],
  wanted?: string,
): Promise<ProviderTest> {
  const startedAt = performance.now();
  let findings: Findings = {};
  try {
    findings = await tryList(provider, wanted);
    if (!findings.error) {
      const call = callFor(provider, { catalog, wanted, listed: findings.models ?? [] });
      findings = { ...findings, ...('error' in call ? call : { model: call.model }) };
      if (!('error' in call)) findings = { ...findings, ...(await tryModel(provider, call)) };
    }
  } catch (error) {
    findings = { ...findings, status: null, error: errorOf(error, provider) };
  }
  const { status = null, durationMs = 0, model = null, text = null, models = [], error = null } = findings;
  const elapsedMs = Math.round(performance.now() - startedAt);
  return { ok: error === null, status, durationMs: durationMs || elapsedMs, model, text, models, error };
}

/** A list that is missing says nothing, since not all hosts have one. A refused key or a broken host does. */
async function tryList(provider: Provider, wanted: string | undefined): Promise<Findings> {
  // Identities of clouds are often not allowed to list models.
  const reply = provider.cloud === null ? await askForModels(provider) : undefined;
  if (!reply) return {};
  const { status } = reply;
  if (status >= 300) {
    const error = failureIn(reply, provider);
    const isMissing = error.cause === 'not_found' || (error.cause === 'failing' && status < 500);
    return isMissing ? { status } : { status, error };
  }
  const models = modelIdsIn(reply.text);
  if (models) return { status, models };
  return wanted === undefined
    ? { status, error: malformed('The list of models is not in the form of the wire.') }
    : { status };
}

/** A model to call. `wire` is undefined if no wire of the provider has a cheap call. */
type ModelCall = { model: string; wire: Wire | undefined };

type Choice = { catalog: readonly CatalogEntry[]; wanted: string | undefined; listed: readonly string[] };

function callFor(provider: Provider, { catalog, wanted, listed }: Choice): ModelCall | { error: TestError } {
  const routed = wanted === undefined ? cheapestCall(provider, catalog) : undefined;
  const isOffered = routed && (listed.length === 0 || listed.includes(routed.model));
  const model = wanted ?? (isOffered ? routed.model : listed[0]) ?? routed?.model;
  if (model !== undefined)
    return { model, wire: model === routed?.model ? routed.wire : provider.wires.find(hasSmallCall) };
  const message = 'The provider lists no models, so the test needs the name of one.';
  return {
    error: { cause: 'not_found', message, remedy: 'Name a model of the provider for the test.' },
  };
}

async function tryModel(provider: Provider, { model, wire }: ModelCall): Promise<Findings> {
  // A provider of images or sound alone has no cheap call, so its list is the whole test.
  const call = wire && smallCall(provider, { wire, model, tokens: TOKENS });
  if (!call) return {};
  const reply = await askModelBriefly(provider, call);
  const { status, ms: durationMs } = reply;
  if (status >= 300) return { status, durationMs, error: failureIn(reply, provider) };
  const text = answerTextIn(call.wire, reply.text);
  return text === undefined
    ? { status, durationMs, error: malformed('The answer is not in the form of the wire.') }
    : { status, durationMs, text: withoutKeys(text, provider) };
}

const malformed = (message: string): TestError => ({
  cause: 'malformed',
  message,
  remedy: failureRemedies.malformed,
});

/** The message is the provider's own, without the operator's keys. */
function failureIn({ status, text, headers }: SmallReply, provider: Provider): TestError {
  const { outcome, fault, error } = failureOfStatus(status, text, headers);
  const cause = causeOfFailure({ outcome, fault, status });
  const quoted = error && redactUpstreamError(error, provider).message;
  return {
    cause,
    message: quoted ?? `The provider answered with status ${status}.`,
    remedy: failureRemedies[cause],
  };
}

function errorOf(error: unknown, provider: Provider): TestError {
  if (error instanceof CredentialFailure) {
    const message = `The source ${error.source} of the credential failed: ${error.message}`;
    return { cause: 'key_refused', message, remedy: 'Correct the source of the credential.' };
  }
  const { name, message } = error as Error;
  if (name === 'TimeoutError') {
    const late = `Nothing arrived within ${SMALL_TIMEOUT_MS / 1_000} s.`;
    return { cause: 'timeout', message: late, remedy: failureRemedies.timeout };
  }
  const code = codeOfError(error);
  const reason = withoutKeys(code && !message.includes(code) ? `${code}: ${message}` : message, provider);
  const remedy = isCertificateFault(error)
    ? 'Correct the certificate of the host, or its name in base_url.'
    : failureRemedies.unreachable;
  return { cause: 'unreachable', message: reason, remedy };
}

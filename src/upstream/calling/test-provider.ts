import { codeOfError } from '../../base/lib/error-code.ts';
import type { CatalogEntry } from '../../settings/catalog/catalog.ts';
import { CredentialFailure } from '../../settings/hosts/provider-credential.ts';
import type { Provider } from '../../settings/hosts/providers.ts';
import type { Wire } from '../../translation/canonical/wire.ts';
import { askForModels, askModelBriefly, SMALL_TIMEOUT_MS, type SmallReply } from './ask-small.ts';
import { causeOfFailure, type FailureCause, failureRemedies } from './failure-cause.ts';
import { failureOfStatus } from './failure-of-status.ts';
import { isCertificateFault } from './provider-fault.ts';
import { modelIdsIn, textIn } from './read-small-answer.ts';
import { redactUpstreamError, withoutKeys } from './redact-upstream-error.ts';
import { cheapestCall, hasSmallCall, smallCall } from './small-call.ts';

/** Enough for a word, and cheap. */
const TOKENS = 32;

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
  const test: ProviderTest = {
    ok: false,
    status: null,
    durationMs: 0,
    model: null,
    text: null,
    models: [],
    error: null,
  };
  try {
    test.error =
      (await tryList(provider, test, wanted)) ?? (await tryModel(provider, test, { catalog, wanted }));
  } catch (error) {
    test.status = null;
    test.error = errorOf(error, provider);
  }
  test.ok = test.error === null;
  test.durationMs ||= Math.round(performance.now() - startedAt);
  return test;
}

/** A list that is missing says nothing, since not all hosts have one. A refused key or a broken host does. */
async function tryList(
  provider: Provider,
  test: ProviderTest,
  wanted?: string,
): Promise<TestError | undefined> {
  // Identities of clouds are often not allowed to list models.
  const reply = provider.cloud === null ? await askForModels(provider) : undefined;
  if (!reply) return undefined;
  test.status = reply.status;
  if (reply.status >= 300) {
    const error = failureIn(reply, provider);
    return error.cause === 'not_found' || (error.cause === 'failing' && reply.status < 500)
      ? undefined
      : error;
  }
  const models = modelIdsIn(reply.text);
  test.models = models ?? [];
  return models || wanted !== undefined
    ? undefined
    : malformed('The list of models is not in the form of the wire.');
}

async function tryModel(
  provider: Provider,
  test: ProviderTest,
  { catalog, wanted }: { catalog: readonly CatalogEntry[]; wanted: string | undefined },
): Promise<TestError | null> {
  const routed = wanted === undefined ? cheapestCall(provider, catalog) : undefined;
  const isOffered = routed && (test.models.length === 0 || test.models.includes(routed.model));
  const model = wanted ?? (isOffered ? routed.model : test.models[0]) ?? routed?.model;
  if (model === undefined) {
    const message = 'The provider lists no models, so the test needs the name of one.';
    return { cause: 'not_found', message, remedy: 'Name a model of the provider for the test.' };
  }
  test.model = model;
  const wire: Wire | undefined = model === routed?.model ? routed.wire : provider.wires.find(hasSmallCall);
  // A provider of images or sound alone has no cheap call, so its list is the whole test.
  if (!wire) return null;
  const reply = await askModelBriefly(provider, smallCall(provider, { wire, model, tokens: TOKENS })!);
  test.status = reply.status;
  test.durationMs = reply.ms;
  if (reply.status >= 300) return failureIn(reply, provider);
  const text = textIn(wire, reply.text);
  if (text === undefined) return malformed('The answer is not in the form of the wire.');
  test.text = withoutKeys(text, provider);
  return null;
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

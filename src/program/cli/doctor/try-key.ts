import { codeOfError } from '../../../base/lib/error-code.ts';
import type { CatalogEntry } from '../../../settings/catalog/catalog.ts';
import { CredentialFailure } from '../../../settings/hosts/provider-credential.ts';
import type { Provider } from '../../../settings/hosts/providers.ts';
import {
  askForModels,
  askModelBriefly,
  SMALL_TIMEOUT_MS,
  type SmallReply,
} from '../../../upstream/calling/ask-small.ts';
import { failureOfStatus } from '../../../upstream/calling/failure-of-status.ts';
import {
  type FaultCause,
  faultRemedies,
  isCertificateFault,
  skewOf,
} from '../../../upstream/calling/provider-fault.ts';
import { redactUpstreamError } from '../../../upstream/calling/redact-upstream-error.ts';
import { cheapestCall } from '../../../upstream/calling/small-call.ts';
import { compareWindows } from './compare-windows.ts';
import { asMend, type Finding, fail, ok, warn } from './finding.ts';

const CHECK = 'live';

/**
 * Tries the key of a provider with its cheapest call. The list of models is free, but some hosts show it to
 * everyone. For those, and for hosts without a list, one token is generated.
 */
export async function tryKey(provider: Provider, catalog: readonly CatalogEntry[]): Promise<Finding[]> {
  const replies: SmallReply[] = [];
  const finding = await tryCalls(provider, catalog, (reply) => replies.push(reply));
  const answers = replies.filter(({ status }) => status < 300).map(({ text }) => text);
  return [
    finding,
    ...replies.flatMap((reply) => aboutClock(provider, reply)).slice(0, 1),
    ...(await compareWindows(provider, catalog, answers)),
  ];
}

async function tryCalls(
  provider: Provider,
  catalog: readonly CatalogEntry[],
  noteReply: (reply: SmallReply) => void,
): Promise<Finding> {
  const { id } = provider;
  try {
    // A list of models proves nothing about the permission to call them.
    const listed = provider.cloud === null ? await askForModels(provider) : undefined;
    if (listed) noteReply(listed);
    if (listed !== undefined && listed.status < 300) {
      if (!hasCredentials(provider)) return ok(CHECK, `${id} answers without a key (${listed.ms} ms)`);
      if (!(await isListPublic(provider)))
        return ok(CHECK, `${id} accepts its key (list of models, ${listed.ms} ms)`);
    }
    if (listed !== undefined && isKeyRefused(listed)) return refused(provider, listed);
    return await tryModel(provider, catalog, noteReply);
  } catch (error) {
    if (error instanceof CredentialFailure) return withoutCredential(id, error);
    const mend = isCertificateFault(error) ? faultRemedies.certificate : 'check base_url and the network';
    return fail(CHECK, `${id} does not answer: ${reasonOf(error)}`, asMend(mend));
  }
}

const withoutCredential = (id: string, { source, message }: CredentialFailure): Finding =>
  fail(
    CHECK,
    `${id} has no credential, because the source ${source} failed: ${message}`,
    'correct the source, and reload or restart the server',
  );

/** Reports whether the list of models says nothing about a key, since it is shown without one. */
async function isListPublic(provider: Provider): Promise<boolean> {
  const anonymous = await askForModels({ ...provider, apiKey: null, headers: {} });
  return anonymous !== undefined && anonymous.status < 300;
}

async function tryModel(
  provider: Provider,
  catalog: readonly CatalogEntry[],
  noteReply: (reply: SmallReply) => void,
): Promise<Finding> {
  const { id } = provider;
  const call = cheapestCall(provider, catalog);
  if (call === undefined) {
    await provider.cloud?.credential.current(); // a failing source is reported first
    return warn(CHECK, `the key of ${id} cannot be tried`, `route a model to ${id}, or remove the provider`);
  }
  const { model } = call;
  const reply = await askModelBriefly(provider, call);
  noteReply(reply);
  if (reply.status < 300) return ok(CHECK, `${id} accepts its key (a call of ${model}, ${reply.ms} ms)`);
  if (isKeyRefused(reply)) return refused(provider, reply);
  const message = `${id} answers ${reply.status} to a call of ${model}${causeOf(provider, reply)}`;
  return warn(CHECK, message, mendOf(reply.status));
}

const mendOf = (status: number): string => {
  if (status === 402 || status === 429) return "check the account's credit and limits at the provider";
  if (status === 501) return 'use a provider that offers this kind of call, or switch it on there';
  if (status >= 500) return 'try again later';
  return 'check that the account may use the model, and its name in the route';
};

const failureIn = ({ status, text, headers }: SmallReply) => failureOfStatus(status, text, headers);

const isKeyRefused = (reply: SmallReply): boolean =>
  reply.status >= 400 && failureIn(reply).outcome === 'key-refused';

function refused(provider: Provider, reply: SmallReply): Finding {
  const { fault = 'key_refused' } = failureIn(reply);
  const what = fault === 'clock_skew' ? 'refuses its key or the time of signatures' : 'refuses its key';
  const message = `${provider.id} ${what} with status ${reply.status}${causeOf(provider, reply)}`;
  const isIdentity = provider.cloud !== null && fault === 'key_refused';
  return fail(CHECK, message, isIdentity ? mendOfIdentity(provider) : mendsOfFaults[fault]);
}

/**
 * The cloud has given a secret, so that the identity lacks a permission, or is of another tenant or account.
 */
function mendOfIdentity({ cloud }: Provider): string {
  const { source } = cloud?.credential.state() ?? {};
  return `give the identity of the source ${source} the permission to call the model, or correct the source`;
}

const mendsOfFaults: Readonly<Record<FaultCause, string>> = {
  key_refused: 'replace the key, and reload or restart the server',
  clock_skew: asMend(faultRemedies.clock_skew),
  certificate: asMend(faultRemedies.certificate),
};

/** A larger difference is a fault of one of the clocks, and signatures fail at five minutes. */
const MAX_SKEW_MS = 60_000;

function aboutClock({ id }: Provider, { headers }: SmallReply): Finding[] {
  const skewMs = skewOf(headers) ?? 0;
  if (Math.abs(skewMs) <= MAX_SKEW_MS) return [];
  const seconds = Math.round(Math.abs(skewMs) / 1_000);
  const side = skewMs > 0 ? 'ahead of' : 'behind';
  return [
    warn(
      CHECK,
      `the clock of ${id} is ${seconds} s ${side} the clock of this machine`,
      asMend(faultRemedies.clock_skew),
    ),
  ];
}

/** Returns the provider's own words, without the key. */
function causeOf(provider: Provider, { status, text, headers }: SmallReply): string {
  const { error } = failureOfStatus(status, text, headers);
  const message = error && redactUpstreamError(error, provider).message;
  return message ? ` (${message.replace(/\s+/g, ' ').slice(0, 200)})` : '';
}

export const hasCredentials = ({ apiKey, cloud, headers }: Provider): boolean =>
  apiKey !== null || cloud !== null || Object.keys(headers).length > 0;

const reasonOf = (error: unknown): string =>
  (error as Error).name === 'TimeoutError'
    ? `nothing arrived within ${SMALL_TIMEOUT_MS / 1_000} s`
    : (codeOfError(error) ?? (error as Error).message);

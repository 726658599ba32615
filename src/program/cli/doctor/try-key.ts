import type { CatalogEntry } from '../../../settings/catalog/catalog.ts';
import type { Provider } from '../../../settings/hosts/providers.ts';
import { askForModels, askModelBriefly, type SmallReply } from '../../../upstream/calling/ask-small.ts';
import { cheapestCall } from '../../../upstream/calling/small-call.ts';
import { compareWindows } from './compare-windows.ts';
import {
  failedCallFinding,
  isKeyRefused,
  refusedKeyFinding,
  unansweredFinding,
} from './failed-call-findings.ts';
import { type Finding, ok, warn } from './finding.ts';
import { hasCredentials } from './has-credentials.ts';
import { providerClockFindings } from './provider-clock-findings.ts';

const CHECK = 'live';

/** The result of one call. It has no finding if the reply proves nothing about the key. */
type Trial = { reply?: SmallReply; finding?: Finding };

/**
 * Tries the key of a provider with its cheapest call. The list of models is free, but some hosts show it to
 * everyone. For those, and for hosts without a list, one token is generated.
 */
export async function tryKey(provider: Provider, catalog: readonly CatalogEntry[]): Promise<Finding[]> {
  const unanswered = (error: unknown): Trial => ({ finding: unansweredFinding(provider, error) });
  const list = await tryList(provider).catch(unanswered);
  const trials = list.finding ? [list] : [list, await tryModel(provider, catalog).catch(unanswered)];
  const replies = trials.flatMap(({ reply }) => reply ?? []);
  return [
    ...trials.flatMap(({ finding }) => finding ?? []),
    ...providerClockFindings(provider, replies),
    ...(await compareWindows(provider, catalog, replies.filter(isSuccess))),
  ];
}

const isSuccess = ({ status }: SmallReply): boolean => status < 300;

async function tryList(provider: Provider): Promise<Trial> {
  // The list of a cloud proves nothing about the permission to call its models.
  const reply = provider.cloud === null ? await askForModels(provider) : undefined;
  if (reply === undefined) return {};
  if (isKeyRefused(reply)) return { reply, finding: refusedKeyFinding(provider, reply) };
  if (!isSuccess(reply)) return { reply };
  const { id } = provider;
  const { ms } = reply;
  if (!hasCredentials(provider))
    return { reply, finding: ok(CHECK, `${id} answers without a key (${ms} ms)`) };
  if (await isListPublic(provider)) return { reply };
  return { reply, finding: ok(CHECK, `${id} accepts its key (list of models, ${ms} ms)`) };
}

/** Reports whether the list of models is shown without a key. */
async function isListPublic(provider: Provider): Promise<boolean> {
  const reply = await askForModels({ ...provider, apiKey: null, headers: {} });
  return reply !== undefined && isSuccess(reply);
}

async function tryModel(provider: Provider, catalog: readonly CatalogEntry[]): Promise<Trial> {
  const { id } = provider;
  const call = cheapestCall(provider, catalog);
  if (call === undefined) {
    await provider.cloud?.credential.current(); // a failing source is reported first
    const mend = `route a model to ${id}, or remove the provider`;
    return { finding: warn(CHECK, `the key of ${id} cannot be tried`, mend) };
  }
  const reply = await askModelBriefly(provider, call);
  return { reply, finding: findingOfCall(provider, call.model, reply) };
}

function findingOfCall(provider: Provider, model: string, reply: SmallReply): Finding {
  if (isSuccess(reply))
    return ok(CHECK, `${provider.id} accepts its key (a call of ${model}, ${reply.ms} ms)`);
  if (isKeyRefused(reply)) return refusedKeyFinding(provider, reply);
  return failedCallFinding(provider, model, reply);
}

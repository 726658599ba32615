import { Refusal } from '../../base/errors/refusal.ts';
import { isLong } from '../../base/json/json-body.ts';
import type { MaybeLater } from '../../base/lib/after.ts';
import type { Turns } from '../../base/lib/turns.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import type { CatalogEntry } from '../../settings/catalog/catalog.ts';
import { thinksByBudget } from '../../settings/catalog/efforts-of.ts';
import { findUpstreamModel } from '../../settings/catalog/find-upstream-model.ts';
import type { MeteredPrices } from '../../settings/catalog/metered-prices.ts';
import type { Model } from '../../settings/catalog/model.ts';
import { acceptsField } from '../../settings/hosts/accepts-field.ts';
import type { Provider } from '../../settings/hosts/providers.ts';
import type { Target } from '../../settings/hosts/target.ts';
import type { Estimator } from '../../translation/canonical/estimator.ts';
import type { LossCode } from '../../translation/canonical/loss.ts';
import { thinkingFieldOf } from '../../translation/canonical/quirk.ts';
import { joinRefused } from '../../translation/canonical/refused-word.ts';
import type { Wire } from '../../translation/canonical/wire.ts';
import type { AnswerLabel } from '../../translation/contract/answer-label.ts';
import type { EncodeTarget, ResponseHead, WireCodec } from '../../translation/contract/codec.ts';
import type { Carriage, Dialect } from '../../translation/contract/dialect.ts';
import type { InferenceRequest } from '../../translation/contract/inference-request.ts';
import { mayHoldPacked } from '../../translation/encoding/replay-token.ts';
import { EFFORTS_OF_BUDGETS } from '../../translation/encoding/thinking-plan.ts';
import {
  dropRefused,
  removeRefused,
  tierWord,
  withoutStops,
} from '../../translation/fitting/drop-refused.ts';
import { fitRequest } from '../../translation/fitting/fit-request.ts';
import { hasTools, refuseRequirement, unmet } from '../../translation/fitting/refuse-requirement.ts';
import { refuseReserved } from '../../translation/members/refuse-reserved.ts';
import { renameParam } from '../../translation/params/rename-param.ts';
import { fitHost } from '../../translation/protocols/chat-completions/fit-host.ts';
import type { LearnedRefusals } from '../../upstream/routing/learned-refusals.ts';
import { bindReasoning } from './bind-reasoning.ts';
import { nameForVendor } from './name-for-vendor.ts';
import { type LargeAnswerOrdering, orderLargeAnswer } from './order-large-answer.ts';
import { forgetLosses, noteLateLoss, reportLosses } from './report-losses.ts';
import { sameWire } from './same-wire.ts';
import { translated } from './translated.ts';
import { unknownTypeNoter } from './unknown-type-noter.ts';
import { mayBeCompared, type VendorIds, withVendorIds } from './vendor-ids.ts';

export type CarriageParts = {
  exchange: Exchange;
  dialect: Dialect;
  request: InferenceRequest;
  entry: CatalogEntry;
  /** The id of the answer. */
  id: string;
  wires: ReadonlyMap<Wire, WireCodec>;
  estimate: Estimator;
  /** Missing for an item of a batch that its provider runs, which can refer to no answer. */
  vendorIds?: VendorIds | undefined;
  /** Unix seconds. The default is the current time. */
  createdAt?: number;
  /** The refusals that the gateway has learned from targets. */
  learned?: Pick<LearnedRefusals, 'of' | 'used'> | undefined;
  /** Restricts the carriages to one of the two kinds. */
  only?: 'same-wire' | 'translated';
};

/** `without`: a word for members that the target has just refused. */
type CarriageTo = (target: Target, without?: string) => MaybeLater<Carriage | Refusal>;

/** Returns what a call order needs to build carriages. */
export const carriagesOf = (parts: CarriageParts & { turns: Turns }) => ({
  carriageTo: carriagesInTurns(parts),
  droppableWord: (word: string) => droppableWord(parts, word),
});

/** The decoded request, which all targets share. */
type Decoded = { head?: ResponseHead | Refusal };

/** Builds carriages like `carriages`, and gives other requests a turn before a long request is decoded and before it is encoded. */
export function carriagesInTurns(parts: CarriageParts & { turns: Turns }): CarriageTo {
  const { request, turns } = parts;
  const decoded: Decoded = {};
  const carriageTo = carriages(parts, decoded);
  if (!isLong(request.body)) return carriageTo;
  return async (target, without) => {
    await turns.next();
    if (isTranslated(parts, withRefused(parts, target, without))) {
      decoded.head ??= headOf(parts);
      await turns.next();
    }
    return carriageTo(target, without);
  };
}

const isTranslated = (parts: CarriageParts, target: Target): boolean =>
  parts.only !== 'same-wire' &&
  closedTo(parts, target) === undefined &&
  (parts.only === 'translated' || !goesAsItIs(parts, target));

/** Returns a function that builds the carriage for a target: on the same wire, or translated. */
export function carriages(
  parts: CarriageParts,
  decoded: Decoded = {},
): (target: Target, without?: string) => Carriage | Refusal {
  return (candidate, without) => {
    const target = withRefused(parts, candidate, without);
    forgetLosses(parts.exchange);
    const closed = closedTo(parts, target);
    if (closed) return closed;
    if (parts.only !== 'translated' && goesAsItIs(parts, target)) return passOn(parts, target);
    if (parts.only === 'same-wire') return new Refusal('route_not_qualified');
    decoded.head ??= headOf(parts);
    if (decoded.head instanceof Refusal) return decoded.head;
    return translate(parts, decoded.head, target);
  };
}

/** Returns the target with what it was found to refuse. A strict request is sent as it is, whatever was learned. */
function withRefused(parts: CarriageParts, target: Target, without: string | undefined): Target {
  const found = parts.learned ? parts.learned.of(target) : target.refuses;
  const known = found !== target.refuses && isStrict(parts) ? target.refuses : found;
  const refuses = without === undefined ? known : joinRefused([[...(known ?? [])], [without]]);
  return refuses === target.refuses ? target : { ...target, refuses };
}

const isStrict = ({ exchange: { request, snapshot } }: CarriageParts): boolean =>
  request.headers.get(snapshot.names.header.strict)?.toLowerCase() === 'true';

/**
 * Returns the word under which a `refuses` list would leave the members out that the word names. Undefined: the request does not have
 * them, or insists on them.
 */
export function droppableWord(parts: CarriageParts, word: string): string | undefined {
  if (isStrict(parts)) return undefined;
  const { body } = parts.request;
  if (word === 'stop') return (body.value['stop'] ?? body.value['stop_sequences']) == null ? undefined : word;
  const exact = word === 'service_tier' ? tierWord(body.value['service_tier']) : word;
  if (exact === undefined) return undefined;
  if (removeRefused(body, new Set([exact])).words.length > 0) return exact;
  return word === 'thinking_budget' && thinks(parts) ? word : undefined;
}

/** Reports whether the request asks for thinking, from which a translation may have computed a budget. */
function thinks(parts: CarriageParts): boolean {
  const head = headOf(parts);
  return !(head instanceof Refusal) && head.request.thinking !== undefined;
}

/** The operator consents to reserved fields for each provider. A model or a host can refuse what the request requires. */
function closedTo(parts: CarriageParts, target: Target): Refusal | undefined {
  const { request, dialect } = parts;
  const closed = request.reserved?.find(({ field }) => !acceptsField(target.provider, field));
  if (closed) return refuseReserved(closed);
  const { refuses } = target;
  if (refuses === undefined) return undefined;
  const body = request.body.value;
  if (wiresOf(parts, target).length === 0) return unmet('tools', 'does not support tools on this protocol');
  return refuseRequirement({ dialect, body }, refuses);
}

/** Some models take tools on other wires than chat completions only. */
function wiresOf({ request }: CarriageParts, { wires, refuses }: Target): readonly Wire[] {
  if (!refuses?.has('tools_on_chat') || !hasTools(request.body.value)) return wires;
  return wires.filter((wire) => wire !== 'openai-chat');
}

/**
 * Reports whether the request can pass on its own protocol. A body with another protocol's packed proof of thinking cannot, since the
 * vendor would refuse the proof.
 */
const goesAsItIs = (parts: CarriageParts, target: Target): boolean =>
  wiresOf(parts, target).includes(parts.dialect.wire) &&
  !endsAtStops(parts, target) &&
  (!parts.dialect.codec || !mayHoldPacked(parts.request.body.text)) &&
  betterWire(parts, target) === undefined;

/** The gateway ends the answer itself at the stop sequences that the target refuses. */
const endsAtStops = ({ dialect, request }: CarriageParts, { refuses }: Target): boolean =>
  refuses?.has('stop') === true &&
  dialect.codec !== undefined &&
  (request.body.value['stop'] ?? request.body.value['stop_sequences']) != null;

/** Returns a wire of the target that accepts the requested ceiling, if the dialect's own wire does not. */
function betterWire({ dialect, request, wires }: CarriageParts, target: Target): Wire | undefined {
  const { ceilings: [name = ''] = [], leastOutput = 0, wire } = dialect;
  const asked = leastOutput && request.body.value[name];
  if (typeof asked !== 'number' || asked >= leastOutput) return undefined;
  return target.wires.find((candidate) => candidate !== wire && wires.has(candidate));
}

const labelOf = ({ id, request, entry: { model }, estimate }: CarriageParts): AnswerLabel => ({
  id,
  estimate,
  model: request.model,
  vectorWidth: model.outputDimensions ?? undefined,
  ...(model.meteredUsd && { metersSound: isBilledBySecond(model.meteredUsd) }),
});

const isBilledBySecond = ({ perSecond, perMillionCharacters }: MeteredPrices): boolean =>
  perSecond !== null && perMillionCharacters === null;

const encodeTarget = (
  { entry, request: { outputRoom } }: CarriageParts,
  { upstreamModel, provider, refuses }: Target,
): EncodeTarget => ({
  upstreamModel,
  reasoning: entry.model.capabilities.reasoning,
  reasoningEfforts: entry.model.reasoningEfforts,
  thinksByBudget: thinksByBudget(entry),
  ...(refuses?.has('thinking_budget') && withoutBudgets(entry)),
  thinkingField: thinkingFieldOf(provider.quirks),
  systemAs: entry.model.systemAs,
  maxOutput: outputRoom ?? entry.model.maxOutput ?? undefined,
  vectors: vectorsOf(entry.model, provider),
});

/** A model that takes no budget takes efforts, also if its row lists none. */
const withoutBudgets = ({ model: { reasoningEfforts } }: CatalogEntry): Partial<EncodeTarget> => ({
  refusesBudgets: true,
  thinksByBudget: false,
  reasoningEfforts: reasoningEfforts.length > 0 ? reasoningEfforts : EFFORTS_OF_BUDGETS,
});

function vectorsOf(
  { outputDimensions, supportedParameters }: Model,
  { mode }: Provider,
): EncodeTarget['vectors'] {
  if (outputDimensions === null) return undefined;
  const canShorten = supportedParameters.includes('dimensions');
  // The simulator serves every model, so the request must state the width of this model's vectors.
  return { width: outputDimensions, canShorten, sendsWidth: canShorten || mode === 'simulated' };
}

const nowSeconds = (): number => Math.floor(Date.now() / 1_000);

function passOn(parts: CarriageParts, target: Target): Carriage | Refusal {
  const { dialect, exchange } = parts;
  const { named, losses } = forTarget(parts, target);
  const label = {
    ...labelOf(parts),
    tellId: idReceiver(parts, target),
    tellUnknown: unknownTypeNoter(exchange),
    nameModel: (name: string) => nameOf(parts, target, name),
  };
  const order = { dialect, request: named, label, style: exchange.style };
  const carriage = sameWire(order, encodeTarget(parts, target));
  const lossy =
    losses.length > 0 && !(carriage instanceof Refusal)
      ? { ...carriage, losses: [...carriage.losses, ...losses] }
      : carriage;
  return finish(parts, lossy, { target, label, translated: undefined });
}

/** The client's own request, with the target's names for models and without what the target refuses. */
function forTarget({ request, exchange, learned }: CarriageParts, target: Target) {
  const named = nameForVendor(request, target, exchange.snapshot.catalog);
  if (target.refuses === undefined) return { named, losses: NOTHING };
  const { kept, losses, words } = removeRefused(named.body, target.refuses);
  learned?.used(target, words);
  if (kept === named.body) return { named, losses };
  const canonical = named.canonical && dropRefused(named.canonical, target.refuses).kept;
  return { named: { ...named, body: kept, ...(canonical && { canonical }) }, losses };
}

const NOTHING: readonly LossCode[] = [];

/** The public name of a model that the vendor names. The target's own has the name that the client chose. */
function nameOf({ exchange, request }: CarriageParts, { upstreamModel, provider }: Target, name: string) {
  if (name === upstreamModel) return request.model;
  return findUpstreamModel(name, exchange.snapshot.catalog, provider.id)?.model.id;
}

const placeOf = ({ exchange: { accountId = '' } }: CarriageParts, { provider }: Target, id: string) => ({
  account: accountId,
  provider: provider.id,
  id,
});

function idReceiver(parts: CarriageParts, target: Target): AnswerLabel['reportId'] {
  const { vendorIds, dialect, request, id } = parts;
  if (!vendorIds || !mayBeCompared({ wire: dialect.wire, request })) return undefined;
  return (vendorId) => vendorIds.remember(placeOf(parts, target, id), vendorId);
}

/** Replaces an id that a client returns to the vendor. */
function withIds(parts: CarriageParts, carriage: Carriage, target: Target): Carriage {
  const { vendorIds, request } = parts;
  if (!carriage.isOwnProtocol) return carriage;
  return withVendorIds(carriage, request, (id) => vendorIds?.find(placeOf(parts, target, id)));
}

/** The wires on which some hosts reject fields that others accept. */
const FITTED: ReadonlySet<Wire> = new Set<Wire>(['openai-chat', 'openai-completions']);

type Way = Pick<LargeAnswerOrdering, 'label' | 'translated'> & { target: Target };

/** Completes every carriage: applies the host's quirks and reports the losses. */
function finish(
  parts: CarriageParts,
  made: Carriage | Refusal,
  { target, label, translated: by }: Way,
): Carriage | Refusal {
  if (made instanceof Refusal) return made;
  const { provider } = target;
  const { dialect, request } = parts;
  const bound = bindReasoning(made, target, parts.entry.targets);
  if (bound instanceof Refusal) return bound;
  const carriage = withIds(parts, withHeaders(bound, request), target);
  carriage.orderLarge = () =>
    orderLargeAnswer({ dialect, request, label, translated: by, mark: carriage.mark });
  const { body, losses, wire } = carriage;
  if (provider.quirks.length === 0 || !FITTED.has(wire)) return reportLosses(parts, carriage);
  const fitted = fitHost(body, provider.quirks);
  if (fitted instanceof Refusal) return renameParam(fitted, parts.dialect.codec?.paramNames);
  const all = [...new Set([...losses, ...fitted.losses])];
  return reportLosses(parts, { ...carriage, body: fitted.body, losses: all });
}

/** Passes on the client's header values on its own protocol only. */
function withHeaders(carriage: Carriage, { headerEdits }: InferenceRequest): Carriage {
  if (!headerEdits || !carriage.isOwnProtocol) return carriage;
  const { values, losses } = headerEdits;
  return { ...carriage, headerEdits: values, losses: [...new Set([...carriage.losses, ...losses])] };
}

function headOf({ dialect, request, id, createdAt = nowSeconds() }: CarriageParts): ResponseHead | Refusal {
  if (!dialect.codec) return new Refusal('route_not_qualified', { param: 'model' });
  const decoded = request.canonical ?? dialect.codec.decodeRequest(request.body);
  if (decoded instanceof Refusal) return decoded;
  return { responseId: id, model: request.model, createdAt, request: decoded, body: request.body };
}

function wireOf(parts: CarriageParts, target: Target) {
  const { dialect, wires } = parts;
  const usable = wiresOf(parts, target);
  const native = usable.includes(dialect.wire) ? dialect.wire : undefined;
  const wire = betterWire(parts, target) ?? native ?? usable.find((candidate) => wires.has(candidate));
  return wire && { wire, codec: wires.get(wire)! };
}

function translate(parts: CarriageParts, asked: ResponseHead, target: Target): Carriage | Refusal {
  const spoken = wireOf(parts, target);
  const { estimate } = parts;
  const { codec: dialect } = parts.dialect;
  if (!spoken || !dialect) return new Refusal('route_not_qualified', { param: 'model' });
  const encoding = encodeTarget(parts, target);
  const fitted = fitRequest(asked.request, spoken.codec.id);
  if (fitted instanceof Refusal) return renameParam(fitted, dialect.paramNames);
  const { kept: request, losses: refused, words } = dropRefused(fitted.request, target.refuses);
  parts.learned?.used(target, words);
  const losses = [...fitted.losses, ...refused.map((code) => ({ code }))];
  const tellLoss = (loss: LossCode): void => {
    if (!(finished instanceof Refusal)) noteLateLoss(parts, finished, loss);
  };
  const head = { ...asked, request, tellLoss };
  const sent = withoutStops(request, target.refuses);
  const carriage = translated({ ...spoken, dialect, head, sent, target: encoding, estimate, losses });
  const by = { head, from: spoken.wire };
  const finished = finish(parts, carriage, { target, label: labelOf(parts), translated: by });
  return finished;
}

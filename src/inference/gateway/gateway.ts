import { Refusal } from '../../base/errors/refusal.ts';
import { isLong, type JsonBody } from '../../base/json/json-body.ts';
import { after, type MaybeLater } from '../../base/lib/after.ts';
import type { Turns } from '../../base/lib/turns.ts';
import { bodyUser, readEndUser } from '../../base/tracing/read-end-user.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import type { BodyReader } from '../../edge/http/read-body.ts';
import type { Reply } from '../../edge/http/reply.ts';
import type { FormReader } from '../../edge/uploads/read-form.ts';
import type { Authenticating } from '../../money/auth/authenticate.ts';
import type { Principal } from '../../money/auth/principal.ts';
import { startOver } from '../../money/auth/stale-caller.ts';
import type { CatalogEntry } from '../../settings/catalog/catalog.ts';
import { Said } from '../../translation/canonical/said.ts';
import type { Usage } from '../../translation/canonical/usage.ts';
import type { Dialect } from '../../translation/contract/dialect.ts';
import type { InferenceRequest } from '../../translation/contract/inference-request.ts';
import type { TokenCounter } from '../../translation/tokens/token-counter.ts';
import type { Routing } from '../../upstream/routing/routing.ts';
import { Trail } from '../../upstream/routing/trail.ts';
import { type CallOrder, tryTargets } from '../../upstream/routing/try-targets.ts';
import { judge, type Permit } from '../admission/admit.ts';
import { refuseAdvisors } from '../admission/advisors.ts';
import { unpaidBefore } from '../admission/unpaid-before.ts';
import type { AnswerOrder } from '../fan-out/answer-order.ts';
import { answerSeveral } from '../fan-out/answer-several.ts';
import type { Conversations, Prepared } from '../responses/conversations.ts';
import type { KeptRequest } from '../responses/kept-request.ts';
import { asksToStore, withoutStoring } from '../responses/without-storing.ts';
import type { CacheShares } from '../settlement/cache-shares.ts';
import { closeTabAfter } from '../settlement/close-tab.ts';
import type { UsageEstimate } from '../settlement/usage-estimate.ts';
import { bytesReply } from '../stream/bytes-reply.ts';
import { carriagesOf } from '../stream/carriages.ts';
import { commitInTime } from '../stream/commit-in-time.ts';
import type { LargeAnswers } from '../stream/large-answers.ts';
import type { OpenAnswers } from '../stream/open-answers.ts';
import { ReaderPace } from '../stream/reader-pace.ts';
import { streamReply } from '../stream/stream-reply.ts';
import { unaryReply } from '../stream/unary-reply.ts';
import { answerComparably } from './answer-comparably.ts';
import { callerOf } from './caller-of.ts';
import { type Estimating, estimateOf } from './estimate-of.ts';
import { forgetUpload } from './forget-upload.ts';
import { MeasuredPrompt } from './measure-prompt.ts';
import { scopeIn } from './noting-cache.ts';
import { type OpenedTab, openTab, type Till } from './open-tab.ts';
import type { PreparedRequest, QualifiedRequest, Unattended } from './qualified-request.ts';
import { qualifyPaid } from './qualify-paid.ts';
import { qualifyRequest, type RequestForModel } from './qualify-request.ts';
import { settleOf } from './settle-of.ts';

export type Gateway = Pick<AnswerOrder, 'wires' | 'vendorIds'> & {
  authenticator: Authenticating;
  readBody: BodyReader;
  /** Reads the forms of dialects that take one. */
  readForm: FormReader;
  routing: Routing;
  till: Till;
  open: OpenAnswers;
  largeAnswers: LargeAnswers;
  /** Gives other requests a turn between the steps of work on a long request. */
  turns: Turns;
  counter: TokenCounter;
  /** The share of each prompt that the upstreams read from their caches. */
  shares: CacheShares;
  conversations: Conversations;
};
/** A request with a valid key and a body that is read. */
export type AuthenticatedRequest = {
  exchange: Exchange;
  principal: Principal;
  body: JsonBody;
  unattended?: Unattended;
};

/** Handles one request from top to bottom: edge → auth → admission → decode → route → call → stream → settle. */
export async function handleInference(
  exchange: Exchange,
  dialect: Dialect,
  gateway: Gateway,
): Promise<Reply | Refusal> {
  const known = gateway.authenticator.authenticate(exchange, dialect.keyHeader);
  const principal = known instanceof Promise ? await known : known;
  if (principal instanceof Refusal) return principal;
  const { form } = dialect;
  const body = await (form ? gateway.readForm(exchange, form) : gateway.readBody(exchange));
  if (body instanceof Refusal) return body;
  try {
    // Returning without `await` would cost more.
    return await answerInference({ exchange, principal, body }, dialect, gateway);
  } catch (error) {
    return startOver(error, principal, {
      authenticate: (stale) => gateway.authenticator.authenticateAgain(exchange, stale, dialect.keyHeader),
      work: (current) => answerInference({ exchange, principal: current, body }, dialect, gateway),
    });
  }
}

/** Answers a request whose caller is known and whose body is read. */
export async function answerInference(
  authenticated: AuthenticatedRequest,
  dialect: Dialect,
  gateway: Gateway,
): Promise<Reply | Refusal> {
  const reading = readRequest(authenticated, dialect, gateway);
  const qualified = reading instanceof Promise ? await reading : reading;
  if (qualified instanceof Refusal) return qualified;
  if (isLong(authenticated.body)) await gateway.turns.next();
  const opening = openTab(gateway.till, qualified);
  const opened = opening instanceof Promise ? await opening : opening;
  if (opened instanceof Refusal) return opened;
  const { tab, request } = opened;
  const order = answerOrderOf(qualified, opened, gateway);
  try {
    const { permit } = qualified;
    const qualify = (other: CatalogEntry) => qualifyAnother(qualified, opened, other);
    const work = answerComparably(order, {
      permit,
      qualify,
      answer: (one) => serve(one, qualified, gateway),
    });
    return closeTabAfter(tab, await (request.stream ? commitInTime(work, order) : work));
  } catch (error) {
    const closing = tab.close();
    if (closing) await closing;
    throw error;
  }
}

/** Reads the request, and checks that the caller may use the model and that the model can do what the request needs. */
export function readRequest(
  authenticated: AuthenticatedRequest,
  dialect: Dialect,
  gateway: Gateway,
): MaybeLater<QualifiedRequest | Refusal> {
  const admitted = admitRequest(authenticated, dialect, gateway);
  if (!('read' in admitted)) return admitted;
  const { exchange, principal, permit, read, id } = admitted;
  const kept = { exchange, principal, request: read, model: permit.entry.model.id, id };
  const prepare = (): MaybeLater<PreparedRequest | Refusal> =>
    dialect.keepsAnswers ? prepareKept(kept, gateway) : asItIs(read);
  const preparing = isLong(authenticated.body) ? gateway.turns.next().then(prepare) : prepare();
  return after<PreparedRequest | Refusal, QualifiedRequest | Refusal>(preparing, (prepared) =>
    prepared instanceof Refusal ? admitted.refuse(prepared) : qualifyPrepared(admitted, prepared),
  );
}

/** A request whose caller may use the model, before its conversation is loaded. */
type Admitted = Pick<
  QualifiedRequest,
  | 'exchange'
  | 'principal'
  | 'permit'
  | 'trail'
  | 'dialect'
  | 'unattended'
  | 'counter'
  | 'id'
  | 'plan'
  | 'rated'
> & {
  read: InferenceRequest;
  refuse(refusal: Refusal): MaybeLater<Refusal>;
};

function admitRequest(
  { exchange, principal, body, unattended }: AuthenticatedRequest,
  dialect: Dialect,
  { counter: counters, till: { ledger, clock } }: Gateway,
): Admitted | MaybeLater<Refusal> {
  const counter = counters.for({ account: principal.account.id, request: exchange.request });
  noteModel(exchange, body.value['model']);
  noteEndUser(exchange, body.value);
  if (exchange.trace?.isSampled) exchange.trace.endUser = readEndUser(exchange.request.headers, body.value);
  const read = dialect.refuseRemoved?.(body.value, exchange.request.headers) ?? dialect.read(body);
  if (read instanceof Refusal) return read;
  const judged = judge(exchange, principal, { name: read.model, kind: dialect.modelKind ?? 'chat' });
  if (judged instanceof Refusal) return judged;
  const { permit, closed } = judged;
  exchange.notes.modelId = permit.entry.model.id;
  if (closed) return closed;
  const refuse = (refusal: Refusal) =>
    unpaidBefore(refusal, { exchange, principal, ledger, now: clock.now() });
  const unfit = judged.unlisted ?? judged.wrongKind;
  if (unfit) return refuse(unfit);
  const { snapshot } = exchange;
  const unadvised = refuseAdvisors(body.value, { ...permit, principal, snapshot });
  if (unadvised) return refuse(unadvised);
  const model = permit.entry.model.id;
  exchange.notes.stream = read.stream;
  exchange.notes.servedModel = model;
  const trail = unattended?.trail ?? new Trail();
  trail.model = model;
  const id = answerId(exchange, dialect);
  if (exchange.trace) exchange.trace.answerId = id;
  const plan = paidBy(principal, permit);
  const at = () => unattended?.pricedAt ?? clock.now();
  const rated = { mode: permit.mode, isNative: unattended?.isNative, at };
  return { exchange, principal, permit, trail, dialect, unattended, counter, id, plan, rated, read, refuse };
}

function qualifyPrepared(
  admitted: Admitted,
  prepared: PreparedRequest,
): MaybeLater<QualifiedRequest | Refusal> {
  const { exchange, dialect, permit, counter, plan, rated, refuse } = admitted;
  const { entry } = permit;
  const { request } = prepared;
  const qualifying = qualifyRequest({ exchange, dialect, request, entry, counter, plan, rated });
  return after<InferenceRequest | Refusal, QualifiedRequest | Refusal>(qualifying, (qualified) =>
    qualified instanceof Refusal
      ? refuse(prepared.explain(qualified))
      : completed(admitted, prepared, qualified),
  );
}

function completed(
  { exchange, principal, permit, trail, dialect, unattended, counter, id, plan, rated }: Admitted,
  prepared: PreparedRequest,
  request: InferenceRequest,
): QualifiedRequest {
  const prompt = new MeasuredPrompt(request, { entry: permit.entry, counter });
  return {
    exchange,
    principal,
    permit,
    trail,
    dialect,
    request,
    prompt,
    estimateInput: () => prompt.estimate(),
    isUnattended: unattended !== undefined,
    isNative: unattended?.isNative === true,
    unattended,
    counter,
    id,
    plan,
    rated,
    prepared,
  };
}

/**
 * Prepares a request whose answer may be stored, with the conversation that it continues. If the account has no storage left, the answer
 * is not stored.
 */
function prepareKept(
  kept: KeptRequest,
  { conversations, till }: Pick<Gateway, 'conversations' | 'till'>,
): MaybeLater<Prepared | Refusal> {
  const { exchange, principal, request } = kept;
  if (!asksToStore(request)) return conversations.prepare(kept);
  return after(till.storage.noRoomFor(exchange, principal, request.body.text.length), (noRoom) =>
    conversations.prepare(noRoom ? { ...kept, request: withoutStoring(request) } : kept),
  );
}

function answerOrderOf(
  qualified: QualifiedRequest,
  { tab, request, belief }: OpenedTab,
  gateway: Gateway,
): AnswerOrder {
  const { exchange, principal, permit, trail, dialect, unattended, id } = qualified;
  const { wires, vendorIds, routing, open, largeAnswers, turns } = gateway;
  const { entry } = permit;
  return {
    exchange,
    dialect,
    request,
    entry,
    id,
    wires,
    vendorIds,
    learned: routing.learned,
    caller: callerOf(principal, permit, unattended),
    trail,
    routing,
    settle: settleOf(tab, qualified, gateway.shares),
    watch: tab,
    open,
    largeAnswers,
    turns,
    pace: new ReaderPace(exchange.snapshot.config.limits.slow_reader_s * 1_000),
    estimate: estimateFor({ entry, request, belief }, qualified, gateway),
    isAttended: !unattended,
  };
}

/** Adapts the request to another model, with an answer no longer than the credit covers. */
function qualifyAnother(
  { exchange, dialect, counter, plan, rated, prepared }: QualifiedRequest,
  { allowance }: OpenedTab,
  entry: CatalogEntry,
): ReturnType<typeof qualifyRequest> {
  const request = prepared.forAnother?.() ?? prepared.request;
  if (request instanceof Refusal) return request;
  return qualifyPaid({ exchange, dialect, request, entry, counter, plan, rated }, allowance);
}

/** Returns the plan's limits for the prompt. Pay-as-you-go requests have no prompt limit. */
export const paidBy = ({ plan }: Principal, { mode }: Permit): RequestForModel['plan'] =>
  mode === 'payg' ? { ...plan, maxPromptTokens: null } : plan;

export const estimateFor = (
  { entry, request, belief }: Pick<AnswerOrder, 'entry' | 'request'> & Pick<Partial<Estimating>, 'belief'>,
  qualified: QualifiedRequest,
  { counter, shares }: Gateway,
): UsageEstimate =>
  estimateOf({
    dialect: qualified.dialect,
    request,
    entry,
    belief,
    scope: scopeIn(qualified),
    counter: counter.for({ account: qualified.principal.account.id, isPatient: true }),
    shares,
  });

function serve(one: AnswerOrder, qualified: QualifiedRequest, gateway: Gateway): Promise<Reply | Refusal> {
  const isOwn = one.entry === qualified.permit.entry;
  const order = isOwn
    ? one
    : { ...one, estimate: estimateFor({ ...one, belief: one.estimate }, qualified, gateway) };
  const several = (order.request.answers ?? 1) > 1;
  return several ? answerSeveral(order, () => answer(order, 'same-wire')) : answer(order);
}

/** Prepares a request that continues no conversation. */
export const asItIs = (request: InferenceRequest): PreparedRequest => ({ request, explain: unexplained });

const unexplained = (refusal: Refusal): Refusal => refusal;

// The answer's id has the random part of the request's id, so it is as hard to guess, and each id leads to the other.
export const answerId = ({ requestId }: Exchange, { idPrefix }: Dialect): string =>
  idPrefix + requestId.slice(requestId.indexOf('_') + 1);

function answer(order: AnswerOrder, only?: 'same-wire'): Promise<Reply | Refusal> {
  const { exchange, request, entry, caller, trail, routing } = order;
  const receive = request.stream ? streamReply : request.answerForm === 'bytes' ? bytesReply : unaryReply;
  const call: CallOrder<Reply> = {
    entry,
    caller,
    trail,
    body: request.body,
    stream: request.stream,
    reader: order.pace,
    ...carriagesOf(only ? { ...order, only } : order),
    receive: (carriage, received, attempt) => receive({ order, carriage, answer: received, attempt }),
  };
  if (order.isAttended) {
    call.abandoned = (usage) => settleAbandoned(order, usage);
    call.left = () => order.watch.left();
  }
  return forgetUpload(order, tryTargets(exchange, routing, call));
}

/** Settles a request whose upstream has read the prompt, but whose answer came after the client left. */
async function settleAbandoned(
  { exchange, settle, estimate }: AnswerOrder,
  reported: Usage | undefined,
): Promise<void> {
  const produced = { reported, told: reported, said: new Said(estimate), isWhole: false };
  await settle({ exchange, usage: await estimate.counted(produced) });
}

/** Matches a name that is safe to send in a header. */
const HEADER_TEXT = /^[\x21-\x7e]{1,256}$/;

/** Records the end user, for the sums of usage. A body without one costs three look-ups. */
function noteEndUser({ notes }: Exchange, body: Readonly<Record<string, unknown>>): void {
  const user = bodyUser(body);
  if (user !== undefined) notes.endUser = user;
}

/** Records the model name, and returns it in a header as the client sent it, also on errors. */
export function noteModel(exchange: Exchange, model: unknown): void {
  if (typeof model !== 'string') return;
  exchange.notes.model = model;
  if (HEADER_TEXT.test(model)) exchange.headers[exchange.snapshot.names.header.model] = model;
}

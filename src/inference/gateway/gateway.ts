import { Refusal } from '../../base/errors/refusal.ts';
import type { FinishedJob } from '../../base/jobs/job.ts';
import { isLong, type JsonBody } from '../../base/json/json-body.ts';
import { after, type MaybeLater } from '../../base/lib/after.ts';
import type { Turns } from '../../base/lib/turns.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import type { BodyReader } from '../../edge/http/read-body.ts';
import type { Reply } from '../../edge/http/reply.ts';
import type { Authenticator } from '../../money/auth/authenticate.ts';
import type { Principal } from '../../money/auth/principal.ts';
import type { CatalogEntry } from '../../settings/catalog/catalog.ts';
import { Said } from '../../translation/canonical/said.ts';
import type { Usage } from '../../translation/canonical/usage.ts';
import type { Wire } from '../../translation/canonical/wire.ts';
import type { WireCodec } from '../../translation/protocols/codec.ts';
import type { Dialect } from '../../translation/protocols/dialect.ts';
import type { InferenceRequest } from '../../translation/protocols/inference-request.ts';
import type { TokenCounter } from '../../translation/tokens/token-counter.ts';
import type { PlanClass } from '../../upstream/capacity/plan-class.ts';
import type { Routing } from '../../upstream/routing/routing.ts';
import { Trail } from '../../upstream/routing/trail.ts';
import { type Caller, tryTargets } from '../../upstream/routing/try-targets.ts';
import { judge, type Permit } from '../admission/admit.ts';
import { unpaidBefore } from '../admission/unpaid-before.ts';
import { answerSeveral } from '../fan-out/answer-several.ts';
import type { Asked } from '../fan-out/asked.ts';
import type { Conversations, Prepared } from '../responses/conversations.ts';
import type { KeptRequest as Asking } from '../responses/kept-request.ts';
import { asksToStore, withoutStoring } from '../responses/without-storing.ts';
import type { CacheShares } from '../settlement/cache-shares.ts';
import type { Settle } from '../settlement/charge.ts';
import { closeTabAfter } from '../settlement/close-tab.ts';
import type { Tab } from '../settlement/tab.ts';
import type { UsageEstimate } from '../settlement/usage-estimate.ts';
import { carriagesInTurns } from '../stream/carriages.ts';
import { commitInTime } from '../stream/commit-in-time.ts';
import type { LargeAnswers } from '../stream/large-answers.ts';
import type { OpenAnswers } from '../stream/open-answers.ts';
import { streamReply } from '../stream/stream-reply.ts';
import { unaryReply } from '../stream/unary-reply.ts';
import { answerComparably } from './answer-comparably.ts';
import { type Estimating, estimateOf, scopeOf } from './estimate-of.ts';
import { MeasuredPrompt } from './measure-prompt.ts';
import { type Buying, type OpenedTab, openTab, type Till } from './open-tab.ts';
import { qualifyPaid } from './qualify-paid.ts';
import { type Qualifying, qualifyRequest } from './qualify-request.ts';

export type Gateway = {
  authenticator: Authenticator;
  readBody: BodyReader;
  routing: Routing;
  till: Till;
  open: OpenAnswers;
  largeAnswers: LargeAnswers;
  /** Taken between the steps of work on a long request. */
  turns: Turns;
  counter: TokenCounter;
  /** How much of their prompts upstreams read from their caches. */
  shares: CacheShares;
  conversations: Conversations;
  /** The wires that can be translated to. */
  wires: ReadonlyMap<Wire, WireCodec>;
};

/** A request that no client waits for: the item of a batch. */
export type Unattended = {
  planClass: PlanClass;
  /** What its whole answer is to the batch, written with its charge. */
  finish(text: string): FinishedJob;
  /** It goes through a provider's own batches. */
  isNative?: true;
  /** For a caller that asks whether the item was sent. */
  trail?: Trail;
};

/** Who asks what. */
export type Inquiry = {
  exchange: Exchange;
  principal: Principal;
  body: JsonBody;
  unattended?: Unattended;
};

/** One request, top to bottom: edge → auth → admission → decode → route → call → stream → settle. */
export async function handleInference(
  exchange: Exchange,
  dialect: Dialect,
  gateway: Gateway,
): Promise<Reply | Refusal> {
  const known = gateway.authenticator.authenticate(exchange, dialect.keyHeader);
  const principal = known instanceof Promise ? await known : known;
  if (principal instanceof Refusal) return principal;
  const body = await gateway.readBody(exchange);
  if (body instanceof Refusal) return body;
  // Awaited, since a promise that is handed on costs more.
  return await answerInference({ exchange, principal, body }, dialect, gateway);
}

/** The same without its edge: the caller is known, and the body is there. */
export async function answerInference(
  inquiry: Inquiry,
  dialect: Dialect,
  gateway: Gateway,
): Promise<Reply | Refusal> {
  const understanding = understand(inquiry, dialect, gateway);
  const understood = understanding instanceof Promise ? await understanding : understanding;
  if (understood instanceof Refusal) return understood;
  if (isLong(inquiry.body)) await gateway.turns.next();
  const opening = openTab(gateway.till, understood);
  const opened = opening instanceof Promise ? await opening : opening;
  if (opened instanceof Refusal) return opened;
  const { tab, request } = opened;
  const asked = askedOf(understood, opened, gateway);
  try {
    const { permit } = understood;
    const qualify = (other: CatalogEntry) => qualifyAnother(understood, opened, other);
    const work = answerComparably(asked, {
      permit,
      qualify,
      answer: (one) => serve(one, understood, gateway),
    });
    return closeTabAfter(tab, await (request.stream ? commitInTime(work, asked) : work));
  } catch (error) {
    tab.close();
    throw error;
  }
}

/** A request that may be served: by whom, and in which form. */
export type Understood = Buying & {
  unattended: Unattended | undefined;
  counter: TokenCounter;
  /** Of the answer. */
  id: string;
  plan: Qualifying['plan'];
  prepared: PreparedRequest;
};

type PreparedRequest = Partial<Prepared> & Pick<Prepared, 'request' | 'explain'>;

/** Reads the request, and sees that its caller may have the model and that the model can do what is asked. */
export function understand(
  { exchange, principal, body, unattended }: Inquiry,
  dialect: Dialect,
  gateway: Gateway,
): MaybeLater<Understood | Refusal> {
  const { till } = gateway;
  const counter = gateway.counter.for({ account: principal.account.id, request: exchange.request });
  noteModel(exchange, body.value['model']);
  const read = dialect.read(body);
  if (read instanceof Refusal) return read;
  const judged = judge(exchange, principal, { name: read.model, kind: dialect.modelKind ?? 'chat' });
  if (judged instanceof Refusal) return judged;
  const { permit, closed } = judged;
  if (closed) return closed;
  const { ledger, clock } = till;
  const refuse = (refusal: Refusal) =>
    unpaidBefore(refusal, { exchange, principal, ledger, now: clock.now() });
  const unfit = judged.unlisted ?? judged.wrongKind;
  if (unfit) return refuse(unfit);
  const { entry } = permit;
  exchange.notes.stream = read.stream;
  exchange.notes.servedModel = entry.model.id;
  const trail = unattended?.trail ?? new Trail();
  trail.model = entry.model.id;
  const id = answerId(exchange, dialect);
  const inquiry = { exchange, principal, request: read, model: entry.model.id, id };
  const plan = paidBy(principal, permit);
  const prepare = (): MaybeLater<PreparedRequest | Refusal> =>
    dialect.keepsAnswers ? prepareKept(inquiry, gateway) : asItIs(read);
  return after<PreparedRequest | Refusal, Understood | Refusal>(
    isLong(body) ? gateway.turns.next().then(prepare) : prepare(),
    (prepared) => {
      if (prepared instanceof Refusal) return refuse(prepared);
      const { request } = prepared;
      const qualifying = qualifyRequest({ exchange, dialect, request, entry, counter, plan });
      return after(qualifying, (qualified) => {
        if (qualified instanceof Refusal) return refuse(prepared.explain(qualified));
        const prompt = new MeasuredPrompt(qualified, { entry, counter });
        return {
          exchange,
          principal,
          permit,
          trail,
          dialect,
          request: qualified,
          prompt,
          estimateInput: () => prompt.estimate(),
          isUnattended: unattended !== undefined,
          isNative: unattended?.isNative === true,
          unattended,
          counter,
          id,
          plan,
          prepared,
        };
      });
    },
  );
}

/** With all that it continues; where there is no room for its answer, as if it had asked that nothing be stored. */
function prepareKept(
  inquiry: Asking,
  { conversations, till }: Pick<Gateway, 'conversations' | 'till'>,
): MaybeLater<Prepared | Refusal> {
  const { exchange, principal, request } = inquiry;
  if (!asksToStore(request)) return conversations.prepare(inquiry);
  return after(till.storage.noRoomFor(exchange, principal, request.body.text.length), (noRoom) =>
    conversations.prepare(noRoom ? { ...inquiry, request: withoutStoring(request) } : inquiry),
  );
}

function askedOf(understood: Understood, { tab, request, belief }: OpenedTab, gateway: Gateway): Asked {
  const { exchange, principal, permit, trail, dialect, unattended, id } = understood;
  const { wires, routing, open, largeAnswers, turns } = gateway;
  const { entry } = permit;
  return {
    exchange,
    dialect,
    request,
    entry,
    id,
    wires,
    caller: callerOf(principal, permit, unattended),
    trail,
    routing,
    settle: notingCache(settleKept(tab, understood), understood, gateway.shares),
    watch: tab,
    open,
    largeAnswers,
    turns,
    estimate: estimateFor({ entry, request, belief }, understood, gateway),
    isAttended: !unattended,
  };
}

/** The request as another model can serve it, with an answer no longer than is paid for. */
function qualifyAnother(
  { exchange, dialect, counter, plan, prepared }: Understood,
  { allowance }: OpenedTab,
  entry: CatalogEntry,
): ReturnType<typeof qualifyRequest> {
  const request = prepared.forAnother?.() ?? prepared.request;
  if (request instanceof Refusal) return request;
  return qualifyPaid({ exchange, dialect, request, entry, counter, plan }, allowance);
}

/** What bounds a prompt is the plan's, unless it is paid for as one goes. */
export const paidBy = ({ plan }: Principal, { mode }: Permit): Qualifying['plan'] =>
  mode === 'payg' ? { ...plan, maxPromptTokens: null } : plan;

const callerOf = (
  { account, plan }: Principal,
  { mode }: Permit,
  unattended: Unattended | undefined,
): Caller => ({
  account: account.id,
  planClass: unattended?.planClass ?? (mode === 'payg' || plan.id !== 'free' ? 'paid' : 'free'),
});

export const estimateFor = (
  { entry, request, belief }: Pick<Asked, 'entry' | 'request'> & Pick<Partial<Estimating>, 'belief'>,
  understood: Understood,
  { counter, shares }: Gateway,
): UsageEstimate =>
  estimateOf({
    dialect: understood.dialect,
    request,
    entry,
    belief,
    scope: scopeIn(understood),
    counter: counter.for({ account: understood.principal.account.id, isPatient: true }),
    shares,
  });

const scopeIn = ({ principal, permit }: Understood) => ({
  keyId: principal.apiKey.id,
  model: permit.entry.model.id,
});

function serve(one: Asked, understood: Understood, gateway: Gateway): Promise<Reply | Refusal> {
  const isOwn = one.entry === understood.permit.entry;
  const asked = isOwn
    ? one
    : { ...one, estimate: estimateFor({ ...one, belief: one.estimate }, understood, gateway) };
  const several = (asked.request.answers ?? 1) > 1;
  return several ? answerSeveral(asked, () => answer(asked, 'same-wire')) : answer(asked);
}

/** A request that stands for itself. */
export const asItIs = (request: InferenceRequest): PreparedRequest => ({ request, explain: unexplained });

const unexplained = (refusal: Refusal): Refusal => refusal;

const decoder = new TextDecoder();

/** Settles with what is kept of the answer. */
const settleKept =
  (tab: Tab, { trail, prepared: { keep }, unattended }: Understood): Settle =>
  (charge) => {
    if (unattended) {
      const { body } = charge;
      if (body === undefined) return tab.settle(charge);
      const text = typeof body === 'string' ? body : decoder.decode(body);
      return tab.settle({ ...charge, job: unattended.finish(text) });
    }
    return tab.settle(
      keep ? { ...charge, response: charge.answer && keep(charge.answer, trail.model) } : charge,
    );
  };

/** Remembers how much of the prompt came from a cache, for answers that do not tell. */
const notingCache =
  (settle: Settle, understood: Understood, shares: CacheShares): Settle =>
  (charge) => {
    const { usage } = charge;
    if (usage && !usage.isEstimated && (usage.input.cacheRead || !shares.isEmpty))
      shares.note(scopeOf(scopeIn(understood), understood.request), usage);
    return settle(charge);
  };

// The random part of the request's own id: as hard to guess, and whoever has one of the two finds the other.
export const answerId = ({ requestId }: Exchange, { idPrefix }: Dialect): string =>
  idPrefix + requestId.slice(requestId.indexOf('_') + 1);

function answer(asked: Asked, only?: 'same-wire'): Promise<Reply | Refusal> {
  const { exchange, request, entry, caller, trail, routing } = asked;
  const receive = request.stream ? streamReply : unaryReply;
  return tryTargets(exchange, routing, {
    entry,
    caller,
    trail,
    body: request.body,
    stream: request.stream,
    carriageTo: carriagesInTurns(only ? { ...asked, only } : asked),
    receive: (carriage, received, attempt) => receive({ asked, carriage, answer: received, attempt }),
    ...(asked.isAttended && {
      abandoned: (usage) => settleAbandoned(asked, usage),
      left: () => asked.watch.left(),
    }),
  });
}

/** The upstream has read the prompt, and its answer did not come while somebody would have taken it. */
async function settleAbandoned(
  { exchange, settle, estimate }: Asked,
  reported: Usage | undefined,
): Promise<void> {
  const produced = { reported, told: reported, said: new Said(estimate), isWhole: false };
  await settle({ exchange, usage: await estimate.counted(produced) });
}

/** What can stand in a header without harm. */
const HEADER_TEXT = /^[\x21-\x7e]{1,256}$/;

/** The model's name goes back as it was sent, on errors too. */
export function noteModel(exchange: Exchange, model: unknown): void {
  if (typeof model !== 'string') return;
  exchange.notes.model = model;
  if (HEADER_TEXT.test(model)) exchange.headers[exchange.snapshot.names.header.model] = model;
}

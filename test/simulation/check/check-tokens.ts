import type { Asked } from '../clients/asked.ts';
import { GRACE_MS } from '../gateway/configuration.ts';
import type { VendorCall } from '../vendors/vendor.ts';
import { type Usage, usageSoFar } from '../vendors/vendor-answer.ts';
import { type World, wasStoreWell } from '../world.ts';
import type { Charge } from './ledger-reader.ts';

/** The output of an open request is recorded within this time of its arrival. */
const MAX_UNRECORDED_MS = 1_500;
/** Usage that arrives within this time of the end of the grace may be late. */
const NEAR_GRACE_MS = 500;
/** Estimates differ from the tokens of the text. Each piece is a word of one token. */
const MIN_PER_PIECE = 0.9;
const MAX_PER_PIECE = 1.2;
/** The name of the request has more tokens than one. */
const MAX_OF_NAME = 5;
/** The tokens of the prompt that no vendor has reported. */
const PROMPT = { usual: { least: 15, most: 40 }, long: { least: 450, most: 700 } };
/** The tokens of the earlier turns of a conversation. */
const MAX_OF_TURNS = 800;

/** Reports whether a vendor has reported this usage at the end of an answer to the request. */
export const isReported = ({ watch }: World, marker: string, charge: Usage): boolean =>
  watch.callsOf(marker).some(({ usage }) => isSame(usage, charge));

const isSame = (usage: Usage | undefined, { input, cached, output }: Usage): boolean =>
  usage?.input === input && usage.cached === cached && usage.output === output;

/** Checks the charged tokens. They are those that a vendor reported, or follow from the text that it sent. */
export function checkTokens(world: World, one: Asked, charge: Charge): void {
  const { simulation, watch } = world;
  const calls = watch.callsOf(one.marker);
  const { input, output, outcome, isEstimated } = charge;
  const fail = (why: string) =>
    simulation.fail(`${one.marker} (${charge.requestId}) ${outcome} was charged ${input}+${output}: ${why}`);
  if (!isEstimated && !calls.some((call) => isReportedBy(call, charge))) fail('no vendor reported it');
  if (outcome === 'left' && hasReportedInTime(one, calls.at(-1)) && !isSame(calls.at(-1)!.usage, charge))
    fail('the vendor reported its usage before the grace ended');
  if (!isEstimated && outcome === 'complete') return;
  const most = Math.max(...calls.map((call) => mostOutput(call, charge, one)));
  if (output > most) fail(`the vendors have sent at most ${most}`);
  const least = MIN_PER_PIECE * leastPieces(world, one, charge, calls);
  if (output < least) fail(`the vendors have sent at least ${least}`);
  const prompt = PROMPT[one.isLong ? 'long' : 'usual'];
  const isPrompt =
    input >= prompt.least && input <= prompt.most + (one.conversation === undefined ? 0 : MAX_OF_TURNS);
  if (!isPrompt && !calls.some(({ usage }) => usage?.input === input)) fail('the prompt is another');
}

/** Reports whether the vendor reported the charged usage at the end of its answer, or as its usage so far. */
function isReportedBy({ usage, countsEvery, sentAt, request }: VendorCall, charge: Charge): boolean {
  if (isSame(usage, charge)) return true;
  if (charge.outcome === 'complete' || !usage || !request.isStream) return false;
  // The first event of Anthropic's streams has the tokens of the prompt, and one of output at most.
  if (request.wire === 'anthropic-messages')
    return isSame({ ...usage, output: charge.output }, charge) && charge.output <= 1;
  if (!countsEvery || !request.wantsUsage) return false;
  return sentAt.some((_, pieces) => pieces % countsEvery === 0 && isSame(usageSoFar(usage, pieces), charge));
}

/** Reports whether the vendor sent everything while the gateway still waited for a client that had left. */
export function hasReportedInTime({ record }: Asked, call: VendorCall | undefined): boolean {
  const { ending, endedAt = 0, host, asking } = record;
  if (ending !== 'left' || !call?.isWhole || !call.usage || call.behaviour !== 'good') return false;
  if (asking.readsForMs !== undefined) return false;
  if (call.request.isStream && call.request.wire === 'openai-chat' && !call.request.wantsUsage) return false;
  const until = endedAt + GRACE_MS - NEAR_GRACE_MS;
  return call.at < endedAt && call.endedAt! < until && (host?.diedAt ?? 0) > until;
}

/** Returns the most output that the charge can have by what the vendor sent. */
function mostOutput(
  { sentAt, hasReported, usage }: VendorCall,
  { outcome }: Charge,
  { record }: Asked,
): number {
  const until = outcome === 'recovered' ? (record.host?.diedAt ?? 0) : Number.POSITIVE_INFINITY;
  const text = MAX_PER_PIECE * countBefore(sentAt, until) + MAX_OF_NAME;
  return hasReported ? Math.max(text, usage?.output ?? 0) : text;
}

/** Counts the pieces that the gateway has read. After a crash it counts the recorded ones. */
function leastPieces(
  world: World,
  { record, isStream }: Asked,
  { outcome }: Charge,
  calls: readonly VendorCall[],
): number {
  const { ending, endedAt = 0, host, asking } = record;
  // The gateway asks another provider only while the client has got nothing, and that attempt costs nothing.
  const call = calls.at(-1);
  // A client that reads slowly delays what the gateway reads.
  if (!call || !isStream || asking.readsForMs !== undefined) return 0;
  if (outcome === 'complete') return call.sentAt.length;
  if (outcome === 'left' && ending === 'left')
    return countBefore(call.sentAt, endedAt + GRACE_MS - NEAR_GRACE_MS);
  const recordedAt = (host?.diedAt ?? 0) - MAX_UNRECORDED_MS;
  if (outcome === 'recovered' && wasStoreWell(world, host, recordedAt, host!.diedAt))
    return countBefore(call.sentAt, recordedAt);
  return 0;
}

const countBefore = (times: readonly number[], until: number): number =>
  times.filter((at) => at <= until).length;

import type { CallRecord, CallUsage } from './call-record.ts';
import { NO_USAGE, sumUsage, usageAtEnd, usageShownAt } from './call-usage.ts';
import { costOf } from './cost.ts';
import type { Fault, SoakRequest } from './draw-request.ts';
import type { SentRequest } from './sent-request.ts';

/**
 * The allowed charge of a request. `isExact` is true if the upstream's own count decides it to the
 * micro-credit. `why` is the reason for the report.
 */
export type Expected = { least: number; most: number; isExact: boolean; why: string };

/** The facts that decide the charge of a request. */
export type Question = {
  request: SoakRequest;
  sent: SentRequest;
  /** The calls of this request to the model that served. */
  calls: readonly CallRecord[];
  served: string;
  /** The time at which the server was killed while it had the request. */
  killedAt: number | undefined;
  graceMs: number;
  /** The age at which the gateway has read output, and has done its work of that time. */
  slackMs: number;
  /** True if the server can know the cached share of a prompt that the upstream does not report. */
  isShareKnown: boolean;
};

/** A hold or a change of it is written within this time, except for delays of the machine. */
const WRITTEN_DOWN_AFTER_MS = 2_200;
/** The allowed shares of the output in bills after a departure, and in estimates. */
const MIN_SHARE = 0.9;
const MAX_SHARE = 1.1;

const isOwnFault = (fault: Fault | undefined): boolean => fault === 'error-400' || fault === 'status-400';
/** Reports whether the upstream failed. The output of such a call is not charged. */
const isBroken = ({ ending, fault }: CallRecord): boolean => ending === 'failed' && !isOwnFault(fault);

const free = (why: string): Expected => ({ least: 0, most: 0, isExact: true, why });

/** Returns the charge that a request may have. */
export function expectedCharge(question: Question): Expected {
  const { sent, killedAt } = question;
  if (sent.ending === 'complete') return ofComplete(question);
  if (sent.ending === 'refused') return ofRefused(question);
  if (sent.ending === 'error') return ofError(question);
  return killedAt === undefined ? ofLeft(question) : ofKilled(question, killedAt);
}

function between(
  { request, served, isShareKnown }: Question,
  { least, most, why }: { least: readonly CallUsage[]; most: readonly CallUsage[]; why: string },
): Expected {
  return {
    least: Math.floor(MIN_SHARE * costOf(sumUsage(least), request, served)),
    most: Math.ceil(MAX_SHARE * costOf(sumUsage(isShareKnown ? most : most.map(uncached)), request, served)),
    isExact: false,
    why,
  };
}

function exactly({ request, served }: Question, usages: readonly CallUsage[], why: string): Expected {
  const cost = costOf(sumUsage(usages), request, served);
  return { least: cost, most: cost, isExact: true, why };
}

const uncached = (usage: CallUsage): CallUsage => ({ ...usage, cacheRead: 0 });

const usageOf = ({ usage }: CallRecord): CallUsage => usage;

/**
 * Charges complete answers of every part. The gateway may close a connection after the last byte that it
 * needs. A call that it gave up earlier, because the upstream was silent, is not charged. Another call
 * replaced it.
 */
function ofComplete(question: Question): Expected {
  const whole = question.calls.filter(({ ending, isAllSent }) => ending !== 'failed' && isAllSent);
  const usages = whole.map(usageOf);
  if (whole.every(({ reportsUsage }) => reportsUsage)) return exactly(question, usages, 'complete');
  // Hidden output could not be seen.
  const least = whole.map((call) => (call.reportsUsage ? call.usage : withoutHidden(call)));
  return between(question, { least, most: usages.map(uncached), why: 'complete, with its usage left out' });
}

const withoutHidden = ({ usage, hidden }: CallRecord): CallUsage => ({
  ...usage,
  output: usage.output - hidden,
});

/** Charges only parts that were finished when another part was refused. */
function ofRefused(question: Question): Expected {
  const { calls, request, slackMs } = question;
  const culprit = calls.find(({ ending, fault }) => ending === 'failed' && isOwnFault(fault));
  const isWholeRequest = request.prompts.length * request.answers === 1;
  if (!culprit || isWholeRequest || !question.sent.error?.startsWith('4')) return free('refused');
  const others = calls.filter((call) => !isBroken(call) && call !== culprit && call.ending !== 'failed');
  const finished = others.filter(
    ({ ending, endedAt }) => ending === 'complete' && endedAt < culprit.endedAt - slackMs,
  );
  const why = 'one part refused, others finished before it';
  return between(question, { least: finished.map(usageOf), most: others.map(usageAtEnd), why });
}

/**
 * Charges choices that were shown completely. Before an error that the request has caused, it charges all
 * output of the other choices too.
 */
function ofError(question: Question): Expected {
  const { calls } = question;
  const whole = calls.filter((call) => !isBroken(call));
  if (whole.length === 0) return free('the upstream broke the stream');
  const isOwn = calls.some(({ ending, fault }) => ending === 'failed' && isOwnFault(fault));
  const most = whole.filter(({ fault }) => fault !== 'status-400').map(usageAtEnd);
  const why = isOwn ? 'an error of its own behind the text' : 'one part failed';
  return between(question, { least: deliveredUsages(question, { countsUnfinished: isOwn }), most, why });
}

function deliveredUsages(
  { sent, request, calls }: Question,
  { countsUnfinished }: { countsUnfinished: boolean },
): CallUsage[] {
  const [first, ...others] = calls;
  // One call may have been for all choices.
  if (request.answers > 1 && first && others.length === 0)
    return countsUnfinished ? [usageShownAt(first, first.endedAt)] : [];
  return sent.received.flatMap((characters, choice) => {
    const prompt = request.dialect === 'completions' ? Math.floor(choice / request.answers) : 0;
    const own = calls.filter((one) => one.prompt === prompt && !isBroken(one) && one.fault !== 'status-400');
    if (sent.finished.includes(choice)) return own.slice(0, 1).map(usageOf);
    const { output } = request.prompts[prompt]!;
    const [call] = own;
    if (!call || !countsUnfinished || characters === 0) return [];
    const visible = call.usage.output - call.hidden;
    return [{ ...call.usage, output: Math.floor((visible * characters) / output.length) }];
  });
}

/**
 * Returns the output when the calls ended. It is exact if all of it was reported before the gateway stopped
 * reading.
 */
function ofLeft(question: Question): Expected {
  const { calls, sent, graceMs, slackMs } = question;
  if (calls.length === 0) return free('left before it went anywhere');
  const readUntil = sent.endedAt + graceMs - slackMs;
  if (calls.every((call) => isRead(call, readUntil) && call.reportsUsage))
    return exactly(question, calls.map(usageOf), 'left, and the usage came in time');
  const most = calls.map(usageAtEnd);
  if (calls.some(({ ending }) => ending === 'failed'))
    return between(question, { least: [], most, why: 'left, and the upstream failed' });
  const least = calls.map((call) => leastOfLeft(call, readUntil, slackMs));
  return between(question, { least, most, why: 'left, and read for as long as is allowed' });
}

const isRead = ({ ending, endedAt }: CallRecord, readUntil: number): boolean =>
  ending === 'complete' && endedAt < readUntil;

/** A reader that was cut off has seen the output until then, and nothing of an incomplete whole answer. */
function leastOfLeft(call: CallRecord, readUntil: number, slackMs: number): CallUsage {
  if (isRead(call, readUntil)) return call.reportsUsage ? call.usage : withoutHidden(call);
  if (!call.isStream) return { ...call.usage, output: 0 };
  return usageShownAt(call, Math.min(call.endedAt - slackMs, readUntil));
}

/** Charges as much as was written down in time: that of streams which had lasted by then. */
function ofKilled(question: Question, killedAt: number): Expected {
  const noted = killedAt - WRITTEN_DOWN_AFTER_MS - question.slackMs;
  const least = question.calls.map((call) => {
    const shown = call.isStream && call.ending !== 'failed' ? usageShownAt(call, noted) : NO_USAGE;
    return shown.output > 0 ? shown : NO_USAGE;
  });
  // The cached share is written with the first change of the hold.
  const isShareKnown = question.isShareKnown && question.sent.sentAt < noted;
  const most = question.calls.map(usageAtEnd);
  return between({ ...question, isShareKnown }, { least, most, why: 'the server was killed' });
}

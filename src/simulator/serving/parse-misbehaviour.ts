import { keysOf, lookUp } from '../../base/lib/records.ts';
import type { Misbehaviour } from './misbehaviour.ts';

/** Parses the value of a setting. Returns undefined if the value is invalid. */
type Setting = (value: string) => Misbehaviour | undefined;

/** Makes a setting whose value is an integer of at least `least`. */
const integer =
  (least: number, apply: (value: number) => Misbehaviour): Setting =>
  (value) =>
    /^\d{1,9}$/.test(value) && Number(value) >= least ? apply(Number(value)) : undefined;

const errorStatus =
  (apply: (value: number) => Misbehaviour): Setting =>
  (value) =>
    /^[45]\d\d$/.test(value) ? apply(Number(value)) : undefined;

const anyText =
  (apply: (value: string) => Misbehaviour): Setting =>
  (value) =>
    value ? apply(value) : undefined;

const only =
  (expected: string, setting: Misbehaviour): Setting =>
  (value) =>
    value === expected ? setting : undefined;

/**
 * The settings that a model name can have after its first `!`:
 *
 *   status=N              answers with status N in the vendor's error envelope
 *   retry-after=TEXT      sends this header with every error
 *   delay-ms=N            waits before the first byte
 *   stall-after=N         N events, then silence until the client disconnects
 *   cut-after=N           N events, then the connection is reset
 *   malformed-after=N     N events, then one that cannot be parsed, then the rest
 *   error-after=N         N events, then the vendor's in-stream error
 *   first-event-error=true  the same before any event
 *   error-status=N        the status of the in-stream error (default 500)
 *   content-type=TEXT     answers 200 with an HTML page under this type
 *   drip-ms=N             waits before each event (before each byte, with drip-bytes)
 *   drip-bytes=N          sends N bytes at a time; some may arrive joined unless drip-ms is set too
 *   tokens-per-second=N   limits the pace of the stream
 *   split-utf8=true       splits every event inside a character, or in the middle
 *   usage=none            omits usage
 *   compact-at=N          compacts prompts of N tokens and more, even without a request for it
 *   call-tools=true       calls a tool without an order to do so
 *   echo-model=TEXT       answers under another model's name
 *   fail-times=N          applies the faults only to the first N requests (without a fault: status=503)
 *   every=N               applies the faults only to every Nth request (without a fault: status=503)
 *
 * With both, the first N of every Mth request have the faults.
 */
const SETTINGS: Record<string, Setting> = {
  status: errorStatus((status) => ({ status })),
  'retry-after': anyText((retryAfter) => ({ retryAfter })),
  'delay-ms': integer(0, (delayMs) => ({ delayMs })),
  'stall-after': integer(0, (stallAfter) => ({ stallAfter })),
  'cut-after': integer(0, (cutAfter) => ({ cutAfter })),
  'malformed-after': integer(0, (malformedAfter) => ({ malformedAfter })),
  'error-after': integer(0, (errorAfter) => ({ errorAfter })),
  'first-event-error': only('true', { errorAfter: 0 }),
  'error-status': errorStatus((status) => ({ errorStatus: status })),
  'content-type': anyText((contentType) => ({ contentType })),
  'drip-ms': integer(0, (dripMs) => ({ dripMs })),
  'drip-bytes': integer(1, (dripBytes) => ({ dripBytes })),
  'tokens-per-second': integer(1, (tokensPerSecond) => ({ tokensPerSecond })),
  'split-utf8': only('true', { splitUtf8: true }),
  usage: only('none', { usage: 'none' }),
  'compact-at': integer(1, (compactAt) => ({ compactAt })),
  'call-tools': only('true', { callTools: true }),
  'echo-model': anyText((echoModel) => ({ echoModel })),
  'fail-times': integer(1, (failTimes) => ({ failTimes })),
  every: integer(1, (every) => ({ every })),
};

/** The settings that are no faults, but say when and how a fault happens. */
const conditions: ReadonlySet<keyof Misbehaviour> = new Set([
  'failTimes',
  'every',
  'retryAfter',
  'errorStatus',
]);

/** The names of all settings, which docs/simulator.md describes. */
export const settingNames: readonly string[] = Object.keys(SETTINGS);

/** A model with its faults, or the problem of a name that cannot be parsed. */
export type NamedModel = { model: string; misbehaviour: Misbehaviour } | { problem: string };

/**
 * Parses the faults that a model name requests, as in `some-model!status=503,retry-after=2`. Only the
 * operator's configuration names upstream models, so accounts cannot request faults.
 */
export function parseMisbehaviour(name: string): NamedModel {
  const mark = name.indexOf('!');
  if (mark < 0) return { model: name, misbehaviour: {} };
  const misbehaviour: Misbehaviour = {};
  for (const setting of name.slice(mark + 1).split(',')) {
    const [key = '', ...valueParts] = setting.split('=');
    const value = valueParts.join('=');
    const parse = lookUp(SETTINGS, key);
    if (!parse) return { problem: `Unknown simulator setting '${key}'.` };
    const parsed = parse(value);
    if (!parsed) return { problem: `Simulator setting '${key}' does not accept the value '${value}'.` };
    Object.assign(misbehaviour, parsed);
  }
  const { failTimes, every } = misbehaviour;
  const isWithoutFault = keysOf(misbehaviour).every((name) => conditions.has(name));
  if (isWithoutFault && (failTimes ?? every) !== undefined) misbehaviour.status = 503;
  return { model: name.slice(0, mark), misbehaviour };
}

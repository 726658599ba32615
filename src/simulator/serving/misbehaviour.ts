import { lookUp } from '../../base/lib/records.ts';
/**
 * Faults that a model name can request after its first `!`, as in `some-model!status=503,retry-after=2`. Only
 * the operator's configuration names upstream models, so accounts cannot request faults.
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
 *   fail-times=N          applies the faults only to the first N requests (alone: status=503)
 *   every=N               applies the faults only to every Nth request
 */
export type Misbehaviour = {
  status?: number;
  retryAfter?: string;
  delayMs?: number;
  stallAfter?: number;
  cutAfter?: number;
  malformedAfter?: number;
  errorAfter?: number;
  errorStatus?: number;
  contentType?: string;
  dripMs?: number;
  dripBytes?: number;
  tokensPerSecond?: number;
  splitUtf8?: boolean;
  usage?: 'none';
  compactAt?: number;
  callTools?: boolean;
  echoModel?: string;
  failTimes?: number;
  every?: number;
};

type Setting = (value: string) => Misbehaviour | undefined;

/** Makes a setting whose value is an integer of at least `least`. */
const whole =
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

const SETTINGS: Record<string, Setting> = {
  status: errorStatus((status) => ({ status })),
  'retry-after': anyText((retryAfter) => ({ retryAfter })),
  'delay-ms': whole(0, (delayMs) => ({ delayMs })),
  'stall-after': whole(0, (stallAfter) => ({ stallAfter })),
  'cut-after': whole(0, (cutAfter) => ({ cutAfter })),
  'malformed-after': whole(0, (malformedAfter) => ({ malformedAfter })),
  'error-after': whole(0, (errorAfter) => ({ errorAfter })),
  'first-event-error': only('true', { errorAfter: 0 }),
  'error-status': errorStatus((status) => ({ errorStatus: status })),
  'content-type': anyText((contentType) => ({ contentType })),
  'drip-ms': whole(0, (dripMs) => ({ dripMs })),
  'drip-bytes': whole(1, (dripBytes) => ({ dripBytes })),
  'tokens-per-second': whole(1, (tokensPerSecond) => ({ tokensPerSecond })),
  'split-utf8': only('true', { splitUtf8: true }),
  usage: only('none', { usage: 'none' }),
  'compact-at': whole(1, (compactAt) => ({ compactAt })),
  'call-tools': only('true', { callTools: true }),
  'echo-model': anyText((echoModel) => ({ echoModel })),
  'fail-times': whole(1, (failTimes) => ({ failTimes })),
  every: whole(1, (every) => ({ every })),
};

/** The names of all settings, which docs/simulator.md describes. */
export const settingNames: readonly string[] = Object.keys(SETTINGS);

export type NamedModel = { model: string; misbehaviour: Misbehaviour } | { problem: string };

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
  if (Object.keys(misbehaviour).join() === 'failTimes') misbehaviour.status = 503;
  return { model: name.slice(0, mark), misbehaviour };
}

import { type LabelValues, labelsOfValues, labelValues } from '../budgets/spend-labels.ts';
import type { ChargeDetail } from './charge-detail.ts';
import type { Entry, KeyDifference, Receipt, WrittenEntry } from './entry.ts';
import { readAmount } from './read-amount.ts';
import { refuseUnreadable } from './refuse-unreadable.ts';
import type { Bound } from './shortfall.ts';

/** An entry as stored. `hash` covers the previous hash, the id and the text. */
export type KeptEntry = { id: string; text: string; hash: string };

/** A receipt as stored: its values in a fixed order, so that equal receipts have equal texts. */
export type ReceiptValues = [
  keyId: string,
  requestId: string,
  model: string,
  servedModel: string,
  tokens: [input: number, cachedInput: number, cacheWriteInput: number, output: number, reasoning: number],
  rates: [input: number, cachedInput: number, output: number],
  heldMicrocredits: number,
  attempts: number,
  tried: Receipt['tried'],
  outcome: Receipt['outcome'],
  isEstimated: boolean,
  // Entries of earlier versions end here.
  endpoint?: string | null,
  lastedMs?: number | null,
  outputCeiling?: number | null,
  bounds?: BoundValues | null,
  ...flags: FlagValues,
];

type BoundValues = [listCostMicrocredits: number | null, bound: Bound | null, beyondCapMicrocredits: number];

/** The values of a receipt after the bounds. Those at the end that are unset are left out. */
type FlagValues = [
  isImplausible?: boolean,
  isSimulated?: boolean,
  detail?: DetailValues | null,
  priceRow?: string | null,
  labels?: LabelValues,
];

/** The dimensions of a charge beyond the three rates, and the factors of the rates. */
type DetailValues = [
  lines: [
    dimension: string,
    model: string | null,
    count: number,
    rate: number,
    of: ChargeDetail['lines'][number]['of'],
  ][],
  factors: [dimension: string, factor: number][],
];

type EntryValues = [
  accountId: string,
  sequence: number,
  at: number,
  kind: Entry['kind'],
  period: string,
  microcredits: number,
  reason: string | null,
  receipt: ReceiptValues | null,
  // Only the difference to an estimate has this value. Those of earlier versions end before it.
  keyDifference?: [keyId: string, at: number, microcredits: number],
];

const NO_FLAGS: FlagValues = [];

/**
 * Formats the stored and hashed text of an entry: its values in a fixed order, as JSON.
 * Throws if the text could not be read back.
 */
export function formatEntry(entry: Entry, sequence: number): string {
  refuseUnreadable(entry, sequence);
  const { accountId, at, kind, period, microcredits, reason, receipt, keyDifference } = entry;
  const receiptOfEntry = receipt && receiptValues(receipt, at);
  const values: EntryValues = [accountId, sequence, at, kind, period, microcredits, reason, receiptOfEntry];
  if (keyDifference) values.push([keyDifference.keyId, keyDifference.at, keyDifference.microcredits]);
  return JSON.stringify(values);
}

/** Parses a stored entry. Returns undefined if the row was changed and is not a valid entry. */
export function readEntry({ id, text, hash }: KeptEntry): WrittenEntry | undefined {
  try {
    // A changed row can have other values, which the checks and the hash find.
    const entry = JSON.parse(text) as EntryValues;
    const [accountId, sequence, at, kind, period, amount, reason, values, difference] = entry;
    const isWhole = [accountId, kind, period].every((value) => typeof value === 'string');
    const microcredits = readAmount(kind, amount);
    if (!isWhole || microcredits === undefined) return undefined;
    if (![sequence, at].every(Number.isSafeInteger)) return undefined;
    const receipt = values && receiptOf(values, at);
    const written = { id, accountId, sequence, at, kind, period, microcredits, reason, receipt, hash };
    return difference ? { ...written, keyDifference: keyDifferenceOf(difference) } : written;
  } catch {
    return undefined;
  }
}

const keyDifferenceOf = ([keyId, at, microcredits]: NonNullable<EntryValues[8]>): KeyDifference => ({
  keyId,
  at,
  microcredits,
});

/** Returns the values of a receipt in their fixed order. */
export const receiptValues = (receipt: Receipt, at: number): ReceiptValues => {
  const { tokens, rates, endedAt, shortfall, beyondCapMicrocredits = 0 } = receipt;
  const flags = flagValues(receipt);
  const values: ReceiptValues = [
    receipt.keyId,
    receipt.requestId,
    receipt.model,
    receipt.servedModel,
    [tokens.input, tokens.cachedInput, tokens.cacheWriteInput, tokens.output, tokens.reasoning],
    [rates.input, rates.cachedInput, rates.output],
    receipt.heldMicrocredits,
    receipt.attempts,
    receipt.tried,
    receipt.outcome,
    receipt.isEstimated,
    receipt.endpoint ?? null,
    endedAt === undefined ? null : endedAt - at,
    receipt.outputCeiling ?? null,
  ];
  if (shortfall || beyondCapMicrocredits > 0)
    values.push([shortfall?.listCostMicrocredits ?? null, shortfall?.bound ?? null, beyondCapMicrocredits]);
  else if (flags.length > 0) values.push(null);
  for (const flag of flags) values.push(flag);
  return values;
};

/** Returns the values of a receipt after the bounds, without those at the end that are unset. */
export function flagValues({ isImplausible, isSimulated, detail, priceRow, labels }: Receipt): FlagValues {
  const isDetailed = detail !== undefined || priceRow !== undefined || labels !== undefined;
  if (!isImplausible && !isSimulated && !isDetailed) return NO_FLAGS;
  const values: FlagValues = [isImplausible === true];
  if (isSimulated || isDetailed) values.push(isSimulated === true);
  if (isDetailed) values.push(detail ? detailValues(detail) : null);
  if (priceRow !== undefined || labels !== undefined) values.push(priceRow ?? null);
  if (labels !== undefined) values.push(labelValues(labels));
  return values;
}

const detailValues = ({ lines, factors }: ChargeDetail): DetailValues => [
  lines.map(({ dimension, model, count, rate, of }) => [dimension, model, count, rate, of]),
  factors.map(([dimension, factor]) => [dimension, factor]),
];

const detailOf = ([lines, factors]: DetailValues): ChargeDetail => ({
  lines: lines.map(([dimension, model, count, rate, of]) => ({ dimension, model, count, rate, of })),
  factors,
});

function receiptOf(values: ReceiptValues, at: number): Receipt {
  const [keyId, requestId, model, servedModel, counts, perToken, heldMicrocredits, ...call] = values;
  const [input, cachedInput, cacheWriteInput, output, reasoning] = counts;
  const [attempts, tried, outcome, isEstimated, endpoint, lastedMs, outputCeiling, ...late] = call;
  const [bounds, isImplausible, isSimulated, detail, priceRow, labels] = late;
  return {
    keyId,
    requestId,
    model,
    servedModel,
    tokens: { input, cachedInput, cacheWriteInput, output, reasoning },
    rates: { input: perToken[0], cachedInput: perToken[1], output: perToken[2] },
    heldMicrocredits,
    attempts,
    tried,
    outcome,
    isEstimated,
    ...(endpoint != null && { endpoint, outputCeiling }),
    ...(lastedMs != null && { endedAt: at + lastedMs }),
    ...(bounds && boundsOf(bounds)),
    ...(isImplausible && { isImplausible }),
    ...(isSimulated && { isSimulated }),
    ...(detail && { detail: detailOf(detail) }),
    ...(priceRow && { priceRow }),
    ...(labels && { labels: labelsOfValues(labels) }),
  };
}

function boundsOf([listCostMicrocredits, bound, beyondCapMicrocredits]: BoundValues) {
  return {
    ...(bound && { shortfall: { listCostMicrocredits: listCostMicrocredits ?? 0, bound } }),
    ...(beyondCapMicrocredits > 0 && { beyondCapMicrocredits }),
  };
}

import { seededRandom } from '../../../src/base/lib/testing/seeded-random.ts';
import { drawText, languages } from './passages.ts';
import { askableNames, vectorModel } from './soak-models.ts';

export const dialects = ['chat', 'messages', 'responses', 'completions', 'embeddings'] as const;
export type Dialect = (typeof dialects)[number];

/** The faults that an upstream call can have. */
export const faults = [
  'status-500',
  'status-429',
  'status-400',
  'cut',
  'stall',
  'malformed',
  'error-400',
  'error-500',
  'no-usage',
  'slow-drip',
  'html-page',
] as const;
export type Fault = (typeof faults)[number];

/**
 * The point at which a client leaves: before the head, at the head, after some pieces, or just before the
 * end.
 */
export type Leave =
  | { moment: 'before-head'; afterMs: number }
  | { moment: 'at-head' | 'near-end' }
  | { moment: 'in-text'; afterPieces: number };

/** The payer. `cachedShare` is the share of each prompt in the upstream's cache. */
export const payers = {
  monthly: { weight: 30, cachedShare: 0 },
  cached: { weight: 25, cachedShare: 0.75 },
  capped: { weight: 10, cachedShare: 0 },
  'soon-capped': { weight: 5, cachedShare: 0 },
  payg: { weight: 20, cachedShare: 0.4 },
  'little-credit': { weight: 5, cachedShare: 0 },
  'subscriber-payg': { weight: 5, cachedShare: 0 },
} as const;
export type Payer = keyof typeof payers;

/** The upstream's plan for one prompt. */
export type Script = {
  input: string;
  output: string;
  reasoning: string;
  /** The pause between two pieces of the answer. */
  pauseMs: number;
  /**
   * `at` is the position in the answer. With `every`, all calls for the prompt have the fault, else the
   * first.
   */
  fault: { kind: Fault; at: number; every: boolean } | undefined;
};

/** A request of a soak, as its number decides. */
export type SoakRequest = {
  number: number;
  dialect: Dialect;
  model: string;
  payer: Payer;
  isStream: boolean;
  reportsUsage: boolean;
  /** The prompts of the request. Completions can have several. */
  prompts: readonly Script[];
  /** The number of answers to each prompt. */
  answers: number;
  /** The most tokens of an answer. */
  ceiling: number | undefined;
  leave: Leave | undefined;
};

const MARK = /Note (\d+)\.(\d+)\./;

type Random = () => number;
const integerBetween = (random: Random, least: number, most: number): number =>
  least + Math.floor(random() * (most - least + 1));

function pick<T>(random: Random, weighted: readonly (readonly [weight: number, value: T])[]): T {
  let left = random() * weighted.reduce((sum, [weight]) => sum + weight, 0);
  for (const [weight, value] of weighted) {
    left -= weight;
    if (left < 0) return value;
  }
  return weighted.at(-1)![1];
}

const dialectWeights = [
  [30, 'chat'],
  [22, 'messages'],
  [20, 'responses'],
  [24, 'completions'],
  [4, 'embeddings'],
] as const satisfies [number, Dialect][];

const faultWeights = faults.map((kind) => [kind === 'status-429' || kind === 'stall' ? 1 : 2, kind] as const);

/** Derives a request from its number. The clients, the upstream and the judge each derive it. */
export function drawRequest(seed: number, number: number): SoakRequest {
  const random = seededRandom(seed ^ Math.imul(number + 1, 0x9e3779b1));
  random();
  const dialect = pick(random, dialectWeights);
  const payer = pick(random, payerWeights);
  const isVector = dialect === 'embeddings';
  const isStream = !isVector && random() < 0.65;
  const answers = dialect === 'chat' || dialect === 'completions' ? pick(random, answerWeights) : 1;
  const count = dialect === 'completions' ? pick(random, answerWeights) : 1;
  const prompts = drawPrompts(random, { count, answers, isCached: payers[payer].cachedShare > 0 });
  const failing = random() < 0.3 ? prompts[integerBetween(random, 0, prompts.length - 1)]! : undefined;
  if (failing) failing.fault = drawFault(random, { isStream });
  return {
    number,
    dialect,
    payer,
    isStream,
    prompts,
    answers,
    model: isVector ? vectorModel.id : askableNames[integerBetween(random, 0, askableNames.length - 1)]!,
    reportsUsage: random() < 0.7,
    ceiling: pick(random, [
      [5, 4_000],
      [1, integerBetween(random, 20, 120)],
      [1, undefined],
    ]),
    leave: random() < 0.24 ? drawLeave(random, payer) : undefined,
  };
}

const payerWeights = (Object.keys(payers) as Payer[]).map((payer) => [payers[payer].weight, payer] as const);

const answerWeights = [
  [6, 1],
  [2, 2],
  [1, 3],
  [1, 4],
] as const;

/** The context that all prompts of a payer with a cache begin with. */
const CONTEXT = drawText('english', 30, seededRandom(1));

type Drawn = { count: number; answers: number; isCached: boolean };

function drawPrompts(random: Random, { count, answers, isCached }: Drawn): Script[] {
  const pauseMs = pick(random, [
    [10, 0],
    [6, integerBetween(random, 1, 6)],
    [3, integerBetween(random, 10, 40)],
    [1, integerBetween(random, 40, 70)],
  ]);
  const own = () => drawText(languages[integerBetween(random, 0, 2)]!, integerBetween(random, 8, 50), random);
  return Array.from({ length: count }, () => ({
    input: isCached ? `${CONTEXT} ${drawText('english', 1, random)}` : own(),
    output: drawText(languages[integerBetween(random, 0, 2)]!, integerBetween(random, 3, 14), random),
    reasoning: drawText('english', integerBetween(random, 3, 12), random),
    pauseMs: Math.ceil(pauseMs / answers), // one call may return all of them
    fault: undefined,
  }));
}

function drawFault(random: Random, { isStream }: { isStream: boolean }): Script['fault'] {
  const kind = pick(random, faultWeights);
  // In a whole answer an error of the request replaces the answer. In a stream it follows some text.
  return {
    kind: kind === 'error-400' && !isStream ? 'status-400' : kind,
    at: 0.25 + 0.7 * random(),
    every: random() < 0.5,
  };
}

/** Prompts of one length do not show which of them had no head. */
const drawLeave = (random: Random, payer: Payer): Leave =>
  pick<Leave>(random, [
    [
      payers[payer].cachedShare > 0 ? 0 : 8,
      { moment: 'before-head', afterMs: integerBetween(random, 0, 60) },
    ],
    [4, { moment: 'at-head' }],
    [10, { moment: 'in-text', afterPieces: integerBetween(random, 1, 30) }],
    [4, { moment: 'near-end' }],
  ]);

/** Returns the name by which the upstream knows a prompt. */
export const markOf = (number: number, prompt: number): string => `Note ${number}.${prompt}.`;

/** Returns the request and the prompt that a mark in the text names. */
export function readMark(text: string): { number: number; prompt: number } | undefined {
  const found = MARK.exec(text);
  return found ? { number: Number(found[1]), prompt: Number(found[2]) } : undefined;
}

import { countUp } from '../../src/base/lib/testing/count-up.ts';
import type { Json } from '../support/call.ts';
import type { CreatedKey } from '../support/start-server.ts';
import { type RandomRequest, RequestMaker } from './random-request.ts';
import { type BillServer, billedModels, startBillServer } from './start-bill-server.ts';

export type BillReport = {
  tries: number;
  served: number;
  /** Requests of each feature that were served. */
  features: Record<string, number>;
  faults: BillFault[];
  /** The median of the holds, in bills. */
  medianRatio: number;
};

/** A bill above the hold, the credit or the charge, or an unexpected status, which has no amounts. */
type BillFault = { fault: string; billed?: number; bound?: number; request: RandomRequest };

export type BillOptions = { tries: number; random: () => number; onTry?: (tries: number) => void };

/** The most work that a report may have in addition to the answer. */
const MAX_REPORTED_WORK = 64;
/** More than any number of requests costs. */
const UNLIMITED_MICROCREDITS = 1e13;

const features: Record<string, (body: Json) => boolean> = {
  hosted: ({ tools = [] }) => tools.some(({ type }: Json) => /^(web_|advisor)/.test(type ?? '')),
  advisor: ({ tools = [] }) => tools.some(({ type }: Json) => type?.startsWith('advisor')),
  thinking: (body) => (body.thinking ?? body.reasoning ?? body.reasoning_effort) !== undefined,
  compaction: (body) => body.context_management !== undefined,
  fallback: (body) => body.fallbacks !== undefined,
  fast: (body) => body.speed === 'fast',
  stream: (body) => body.stream === true,
};

/** Sends random requests to an upstream that bills the most that each allows, and compares the bills. */
export async function fuzzBills({ tries, random, onTry }: BillOptions): Promise<BillReport> {
  const maker = new RequestMaker(random, billedModels);
  const server = await startBillServer();
  try {
    const trial = new BillTrial(server, await server.createPayer(UNLIMITED_MICROCREDITS));
    for (let count = 0; count < tries; count++) {
      onTry?.(count);
      await trial.run(maker.next(), random());
    }
    return { tries, ...trial.report() };
  } finally {
    await server.stop();
  }
}

class BillTrial {
  readonly #server: BillServer;
  readonly #unlimited: CreatedKey;
  readonly #features: Record<string, number> = {};
  readonly #faults: BillFault[] = [];
  /** The hold of each served request, in bills. */
  readonly #ratios: number[] = [];

  constructor(server: BillServer, unlimited: CreatedKey) {
    this.#server = server;
    this.#unlimited = unlimited;
  }

  /** Sends a request with unlimited credit, and then again with this share of its hold as the credit. */
  async run(request: RandomRequest, creditShare: number): Promise<void> {
    const answer = await this.#server.send(this.#unlimited, request);
    if (answer.status !== 200) return this.#expectStatus(answer.status, [400, 422], request);
    for (const [name, has] of Object.entries(features)) if (has(request.body)) countUp(this.#features, name);
    const billed = this.#server.billed();
    const isReported = this.#server.mostOtherWork() <= MAX_REPORTED_WORK;
    const receipt = await this.#server.receiptOf(this.#unlimited, answer);
    this.#compare('above the hold', { billed, bound: receipt.held_microcredits, request });
    if (isReported) this.#compare('above the charge', { billed, bound: receipt.microcredits, request });
    this.#ratios.push(receipt.held_microcredits / billed);
    await this.#runLimited(request, Math.ceil(receipt.held_microcredits * creditShare));
  }

  async #runLimited(request: RandomRequest, microcredits: number): Promise<void> {
    const limited = await this.#server.createPayer(microcredits);
    const { status } = await this.#server.send(limited, request);
    this.#expectStatus(status, [200, 402], request);
    this.#compare('above the credit', { billed: this.#server.billed(), bound: microcredits, request });
  }

  #expectStatus(status: number, expected: readonly number[], request: RandomRequest): void {
    if (!expected.includes(status)) this.#faults.push({ fault: `status ${status}`, request });
  }

  /** The gateway rounds to whole micro-credits. */
  #compare(fault: string, { billed, bound, request }: Required<Omit<BillFault, 'fault'>>): void {
    if (billed > bound * (1 + 1e-6) + 1) this.#faults.push({ fault, billed, bound, request });
  }

  report(): Omit<BillReport, 'tries'> {
    const ratios = this.#ratios.toSorted((one, other) => one - other);
    return {
      served: ratios.length,
      features: this.#features,
      faults: this.#faults,
      medianRatio: ratios[Math.floor(ratios.length / 2)] ?? 0,
    };
  }
}

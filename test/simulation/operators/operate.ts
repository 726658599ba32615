import { MICROCREDITS_PER_USD, MONTHLY_CREDITS, SMALL_USD } from '../gateway/configuration.ts';
import type { Operators } from './operators.ts';
import { setBudget, setCap, setCredits } from './set-limits.ts';

const MAX_ACTIONS = 12;
const SMALL = SMALL_USD * MICROCREDITS_PER_USD;
const MONTHLY = MONTHLY_CREDITS * 1_000_000;

type OperatorAction = { weight: number; run(operators: Operators): Promise<unknown> };

const actions: Record<string, OperatorAction> = {
  purchase: { weight: 20, run: purchase },
  'take back': { weight: 30, run: takeBack },
  grant: { weight: 12, run: grant },
  cap: { weight: 15, run: (one) => setCap(one, SMALL * one.random.of([0.1, 0.5, 1, 2, 4])) },
  budget: { weight: 15, run: (one) => setBudget(one, SMALL * one.random.of([0.1, 0.5, 1, 2, 4])) },
  payment: { weight: 12, run: ({ stripe }) => stripe.pay() },
  refund: { weight: 15, run: ({ stripe }) => stripe.refund() },
  dispute: { weight: 8, run: ({ stripe }) => stripe.dispute() },
  credits: { weight: 8, run: (one) => setCredits(one, MONTHLY * one.random.of([0.5, 1, 2])) },
};

/** Runs operators, who make their changes one after the other. */
export async function operate(operators: Operators, spanMs: number): Promise<void> {
  const { random, simulation } = operators;
  const count = random.between(3, MAX_ACTIONS);
  for (let action = 0; action < count; action++) {
    await simulation.sleep(random.skewed(1, (3 * spanMs) / count), 'operator pauses');
    await random.row(actions).run(operators);
  }
}

/** Draws whether the answer is lost, and whether the request is sent twice. */
function mannersOf({ random }: Operators) {
  const isKeyed = random.chance(0.85);
  return {
    isKeyed,
    isTwice: isKeyed && random.chance(0.3),
    leavesAfterMs: random.chance(0.3) ? random.skewed(1, 100) : undefined,
  };
}

function purchase(operators: Operators) {
  const { random } = operators;
  const account = random.of(['purchased', 'purchased', 'capped'] as const);
  const microcredits = operators.amountNear(random.between(SMALL, 3 * SMALL));
  return operators.move(
    { account, kind: 'purchase', balance: 'purchased', microcredits },
    mannersOf(operators),
  );
}

function takeBack(operators: Operators) {
  const { random } = operators;
  const microcredits = operators.amountNear(-random.between(SMALL / 20, SMALL));
  return operators.move(
    { account: 'purchased', kind: 'adjustment', balance: 'purchased', microcredits },
    mannersOf(operators),
  );
}

function grant(operators: Operators) {
  const { random } = operators;
  const isTaken = random.chance(0.3);
  const microcredits = operators.amountNear((isTaken ? -1 : 1) * random.between(MONTHLY / 10, MONTHLY));
  return operators.move(
    { account: 'monthly', kind: isTaken ? 'adjustment' : 'grant', balance: 'monthly', microcredits },
    mannersOf(operators),
  );
}

import { askSlowly } from './clients/ask-slowly.ts';
import { askSubstitutes } from './clients/ask-substitutes.ts';
import { cancelAway } from './clients/cancel-away.ts';
import { raiseCap } from './clients/raise-cap.ts';
import { spendDay } from './clients/spend-day.ts';
import { spendDuringBatch } from './clients/spend-during-batch.ts';
import { spendHour } from './clients/spend-hour.ts';
import type { Draws } from './kernel/draws.ts';
import { flap } from './operators/flap.ts';
import type { World } from './world.ts';

type OccasionalLoad = { share: number; run(world: World, random: Draws): Promise<void> };

/** The loads that only a share of the runs has. Each has its own draws. */
export const occasionalLoads: Record<string, OccasionalLoad> = {
  /** A very slow stream. */
  slow: { share: 0.25, run: ({ clients }, random) => askSlowly(clients, random) },
  /** The run lasts an hour. */
  hour: { share: 0.06, run: ({ clients }, random) => spendHour(clients, random) },
  /** The run begins shortly before a day ends. */
  day: { share: 0.5, run: ({ clients }, random) => spendDay(clients, random) },
  /** An operator drains a provider again and again. */
  flapping: { share: 0.2, run: ({ clients, operators }, random) => flap(clients, operators, random) },
  /** Other models answer for one that fails. */
  substituted: { share: 0.2, run: ({ clients }, random) => askSubstitutes(clients, random) },
  /** The items of a batch hold most of a cap. */
  itemized: { share: 0.15, run: ({ clients }, random) => spendDuringBatch(clients, random) },
  /** The cap of a key is raised while requests hold it. */
  raised: { share: 0.25, run: ({ clients, operators }, random) => raiseCap(clients, operators, random) },
  /** A batch is canceled while its vendor works on it. */
  'canceled away': { share: 0.2, run: cancelAway },
};

import type { Draws } from '../kernel/draws.ts';

/** Draws a fate by its weight. `trouble` multiplies the weights of all fates except `good`. */
export function drawFate<Fate extends string>(
  random: Draws,
  weights: Readonly<Record<Fate, number>>,
  trouble: number,
): Fate {
  const scaled = Object.entries<number>(weights).map(([name, weight]) => [
    name,
    name === 'good' ? weight : weight * trouble,
  ]);
  return random.weighted(Object.fromEntries(scaled) as Record<Fate, number>);
}

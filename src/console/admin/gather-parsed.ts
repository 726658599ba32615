import type { Fleet, FleetTopic } from '../../watch/observability/fleet.ts';

/**
 * Returns the answers of all processes, parsed. A process that cannot answer yet sends an empty text, and is
 * left out. All processes run the same program, so the form of an answer is trusted.
 */
export async function gatherParsed<Answer>(
  fleet: Fleet,
  topic: FleetTopic,
  detail: string,
): Promise<Answer[]> {
  const answers = await fleet.gather(topic, detail);
  return answers.filter(({ answer }) => answer !== '').map(({ answer }) => JSON.parse(answer) as Answer);
}

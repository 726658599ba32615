import { invalidParam } from '../../base/errors/invalid-param.ts';
import type { Refusal } from '../../base/errors/refusal.ts';
import { keysOf } from '../../base/lib/records.ts';
import type { CatalogEntry } from '../../settings/catalog/catalog.ts';
import type { Wire } from '../../translation/canonical/wire.ts';

const wireOf = {
  anthropic: 'anthropic-messages',
  openai: 'openai-chat',
  responses: 'openai-responses',
} as const satisfies Record<string, Wire>;

/** The protocol whose models a list shows. `null` means all models. */
export type WireFilter = keyof typeof wireOf | null;

/** The values of the parameter `wire`. `native` is the protocol whose form the list has. */
export const wireChoices = ['native' as const, ...keysOf(wireOf)];

/** Reports whether the protocol reaches a model without translation. */
export const matchesWire = ({ nativeWires }: CatalogEntry, filter: WireFilter): boolean =>
  filter === null || nativeWires.includes(wireOf[filter]);

/** Reads the parameter `wire`. `own` is the protocol whose form the list has. */
export function readWireFilter(text: string | null, own: 'anthropic' | 'openai'): WireFilter | Refusal {
  if (text === null) return null;
  const wire = wireChoices.find((choice) => choice === text);
  if (wire === undefined) return invalidParam('wire', `must be one of ${wireChoices.join(', ')}.`);
  return wire === 'native' ? own : wire;
}
